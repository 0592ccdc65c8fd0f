import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ROOT } from '../processes.ts';
import { checkDependencies, dependencyProblems, type Policy } from './dependencies.ts';

const BYTES = `sha512-${'A'.repeat(86)}==`;
const GOOD: Policy = {
  manifest: {
    dependencies: { pg: '8.0.0' },
    devDependencies: { vitest: '5.0.0' },
    allowScripts: {},
  },
  locked: {
    '': {},
    'node_modules/pg': { version: '8.0.0', integrity: BYTES, license: 'MIT' },
    'node_modules/vitest': { version: '5.0.0', integrity: BYTES, license: 'MIT' },
  },
  npmrc: 'save-exact=true\n',
  notes: '| `pg` | speaks to PostgreSQL | MIT |\n| `vitest` | runs the tests | MIT |\n',
};
const { manifest, locked } = GOOD;

describe('the policy for packages', () => {
  test('is kept by this project', () => expect(checkDependencies(ROOT)).toEqual([]));

  test('has nothing against a package that is exact, known by its bytes, noted and free', () =>
    expect(dependencyProblems(GOOD)).toEqual([]));

  test.each<[string, Partial<Policy>, string]>([
    [
      'a range instead of a version',
      { manifest: { ...manifest, dependencies: { pg: '^8.0.0' } } },
      'one exact version',
    ],
    ['a new package without a note', { notes: GOOD.notes.split('\n')[1]! }, 'does not say why pg'],
    [
      'a note for a package that is gone',
      { notes: `${GOOD.notes}| \`left\` | was once needed here | MIT |\n` },
      'speaks of left',
    ],
    [
      'another licence in the note than in the package',
      { notes: GOOD.notes.replace('PostgreSQL | MIT', 'PostgreSQL | ISC') },
      'another licence for pg',
    ],
    [
      'bytes that nobody knows',
      { locked: { ...locked, 'node_modules/x': { license: 'MIT' } } },
      'x has no SHA-512',
    ],
    [
      'a weak sum of the bytes',
      { locked: { ...locked, 'node_modules/x': { license: 'MIT', integrity: 'sha1-abc' } } },
      'x has no SHA-512',
    ],
    [
      'a package from an address of its own',
      {
        locked: {
          ...locked,
          'node_modules/x': {
            license: 'MIT',
            integrity: BYTES,
            resolved: 'https://elsewhere.test/x.tgz',
          },
        },
      },
      'says where to take it from',
    ],
    [
      'an install script that nobody has judged',
      {
        locked: {
          ...locked,
          'node_modules/x': { license: 'MIT', integrity: BYTES, hasInstallScript: true },
        },
      },
      'x has an install script',
    ],
    [
      'a licence that nobody has looked at',
      { locked: { ...locked, 'node_modules/x': { license: 'SSPL-1.0', integrity: BYTES } } },
      'SSPL-1.0',
    ],
    ['npm that saves ranges', { npmrc: '' }, 'save-exact'],
    [
      'a rule for a script of a package that is gone',
      { manifest: { ...manifest, allowScripts: { gone: true } } },
      'allowScripts names gone',
    ],
  ])('refuses %s', (_what, change, message) => {
    expect(dependencyProblems({ ...GOOD, ...change })).toEqual([expect.stringContaining(message)]);
  });

  test('refuses a thirty-fifth run-time dependency', () => {
    const names = Array.from({ length: 35 }, (_, index) => `p${index}`);
    const many: Policy = {
      ...GOOD,
      manifest: {
        ...manifest,
        dependencies: Object.fromEntries(names.map((name) => [name, '1.0.0'])),
        devDependencies: {},
      },
      locked: Object.fromEntries(
        names.map((name) => [`node_modules/${name}`, { integrity: BYTES, license: 'MIT' }]),
      ),
      notes: names.map((name) => `| \`${name}\` | there is a reason | MIT |`).join('\n'),
    };
    expect(dependencyProblems(many)).toEqual([expect.stringContaining('35 run-time dependencies')]);
  });

  test('lets only the pinned runtime run its install script, and the start runs no other', () => {
    const { allowScripts } = JSON.parse(
      readFileSync(join(ROOT, 'package.json'), 'utf8'),
    ) as Policy['manifest'];
    expect(
      Object.entries(allowScripts)
        .filter(([, allowed]) => allowed)
        .map(([name]) => name),
    ).toEqual(['node']);
    const install = readFileSync(join(ROOT, 'scripts/install.mjs'), 'utf8');
    expect([...install.matchAll(/^ {2}npm\(\[(.*)\]\);$/gm)].map(([, args]) => args)).toEqual([
      expect.stringContaining("'ci', '--include=dev', '--ignore-scripts'"),
      "'rebuild', 'node', '--ignore-scripts=false', ...QUIET",
    ]);
  });
});
