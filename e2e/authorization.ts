/** `node e2e/authorization.ts`: writes `docs/authorization-matrix.md` anew. */
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { authorizationPage } from './authorization-page.ts';

const root = dirname(import.meta.dirname);
writeFileSync(join(root, 'docs/authorization-matrix.md'), authorizationPage(root));
