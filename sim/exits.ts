/** `node sim/exits.ts`: writes `docs/exits.md` anew. */
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { exitsPage } from './exits-page.ts';

writeFileSync(join(dirname(import.meta.dirname), 'docs/exits.md'), exitsPage());
