import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { ROOT } from '../processes.ts';
import { cruise } from './static.ts';

/**
 * A sample project that breaks each layer rule at least once, so that a rule whose pattern matches
 * nothing is found.
 */
const HOUSE: Record<string, string> = {
  'package.json':
    '{ "type": "module", "imports": { "#lib/*": "./lib/*", "#app/*": "./app/*", ' +
    '"#components/*": "./components/*" }, "dependencies": { "pg": "1", "zod": "1", ' +
    '"next": "1" }, "devDependencies": { "vitest": "1" } }',
  'tsconfig.json':
    '{ "compilerOptions": { "module": "esnext", "moduleResolution": "bundler", ' +
    '"allowImportingTsExtensions": true, "noEmit": true, "jsx": "react-jsx" } }',
  'app/page.tsx':
    "import '#lib/runtime/db.ts'; import '#lib/runtime/env.ts'; import " +
    "'#lib/providers/wallet/client.ts'; import '#lib/nowhere.ts'; import " +
    "'#lib/rules.test.ts'; import 'vitest';",
  'app/cycle-a.ts': "import './cycle-b.ts';",
  'app/cycle-b.ts': "import './cycle-a.ts';",
  'components/card.tsx': "import '#app/page.tsx'; import '#lib/runtime/db.ts';",
  'components/ui/button.tsx': "import '#lib/values/money.ts';",
  'lib/runtime/db.ts': "import 'server-only'; import pg from 'pg'; export default pg;",
  'lib/runtime/env.ts': "import 'server-only';",
  'lib/values/money.ts': "import '../runtime/db.ts';",
  'lib/rules.test.ts': 'export {};',
  'lib/payouts/submit.ts':
    "import 'server-only';\nimport pg from 'pg'; import '#app/page.tsx'; import " +
    "'../../sandbox/main.ts'; import '../../e2e/story.ts'; import '../../scripts/up.ts'; " +
    "import '../../demo/main.ts'; " +
    "import '../../sim/world.ts'; export default pg;",
  'lib/payouts/unused.ts': "import 'server-only';",
  'lib/providers/wallet/client.ts':
    "import 'server-only';\nimport '../card/client.ts'; import '../../payouts/submit.ts'; import 'next/server';",
  'lib/providers/card/client.ts': "import 'server-only';",
  'demo/main.ts': 'export {};',
  'sandbox/main.ts': "import '../lib/values/money.ts';",
  'scripts/up.ts': "import '../lib/runtime/db.ts';",
  'sim/world.ts': "import '../lib/runtime/db.ts';",
  'e2e/story.ts': 'export {};',
  'e2e/independent/gateway.ts': "import '../story.ts';",
};

const house = mkdtempSync(join(tmpdir(), 'layers-'));
afterAll(() => rmSync(house, { recursive: true, force: true }));

test('every layer rule finds the file that breaks it', async () => {
  for (const [path, text] of Object.entries(HOUSE)) {
    mkdirSync(dirname(join(house, path)), { recursive: true });
    writeFileSync(join(house, path), text);
  }
  symlinkSync(join(ROOT, 'node_modules'), join(house, 'node_modules'));
  const found = await cruise(house, [
    'app',
    'components',
    'lib',
    'sandbox',
    'demo',
    'scripts',
    'e2e',
    'sim',
  ]);
  if (typeof found === 'string') throw new Error(found);
  const broken = new Set(found.summary.violations.map((violation) => violation.rule.name));
  const rules = found.summary.ruleSetUsed?.forbidden?.map((rule) => rule.name) ?? [];
  expect(rules.length).toBeGreaterThan(15);
  expect(rules.filter((rule) => !broken.has(rule))).toEqual([]);
});
