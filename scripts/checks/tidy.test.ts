import { describe, expect, test } from 'vitest';
import { missingEntries } from '../complete-lock.ts';
import { placeholders } from './messages.ts';
import { problemsOf } from './tidy.ts';

describe('a file of ours', () => {
  test('may not be longer than 400 lines unless it is a test', () => {
    const long = 'const a = 1;\n'.repeat(401);
    expect(problemsOf('lib/values/long.ts', long)).toEqual([expect.stringContaining('401 lines')]);
    expect(problemsOf('lib/values/long.test.ts', long)).toEqual([]);
    expect(problemsOf('lib/values/long.ts', 'const a = 1;\n'.repeat(400))).toEqual([]);
  });

  test('may not have a line over 120 characters, but for a title that a program reads', () => {
    const long = `'${'x'.repeat(120)}';\n`;
    expect(problemsOf('lib/values/a.ts', long)).toEqual([expect.stringContaining('a.ts:1')]);
    expect(problemsOf('messages/tr/home.json', long)).toEqual([]);
    const title = `  it('answers ${'x'.repeat(90)} [paySmart3D: amount]', () => {\n`;
    expect(problemsOf('sandbox/a.test.ts', title)).toEqual([]);
    expect(problemsOf('sandbox/a.ts', title)).toHaveLength(1);
  });

  test('may not have a function over 70 lines unless it is a test', () => {
    const of = (lines: number) => `export function all() {\n${'  one();\n'.repeat(lines - 2)}}\n`;
    expect(problemsOf('app/all.tsx', of(71))).toEqual([
      expect.stringContaining('app/all.tsx:1 (71)'),
    ]);
    expect(problemsOf('app/all.tsx', of(70))).toEqual([]);
    expect(problemsOf('app/all.test.ts', of(71))).toEqual([]);
  });

  test('may not hide behind a name that says nothing', () => {
    expect(problemsOf('lib/utils/money.ts', '')).toHaveLength(1);
    expect(problemsOf('components/helpers.tsx', '')).toHaveLength(1);
    expect(problemsOf('messages/tr/common.json', '{}')).toEqual([]);
  });

  test('may not only pass on what others export', () => {
    expect(
      problemsOf('lib/values/all.ts', "export * from './a.ts';\nexport { b } from './b.ts';\n"),
    ).toHaveLength(1);
    expect(problemsOf('lib/values/index.ts', 'export const a = 1;\n')).toHaveLength(1);
    expect(
      problemsOf('lib/values/some.ts', "export { b } from './b.ts';\nexport const a = 1;\n"),
    ).toEqual([]);
  });

  test('may not read the audit log to decide: only its pages and the chain’s own checks do', () => {
    const reads = 'const rows = tx.$queryRaw`SELECT 1 FROM audit_entries WHERE subject = ${id}`;\n';
    expect(problemsOf('lib/payouts/card-balance/close.ts', reads)).toEqual([
      expect.stringContaining('audit log'),
    ]);
    expect(problemsOf('app/payouts/page.tsx', reads)).toEqual([
      expect.stringContaining('audit log'),
    ]);
    for (const file of [
      'lib/audit/export.ts',
      'lib/send-control/recovery/keep-checkpoint.ts',
      'lib/payouts/card-balance/close.db.test.ts',
    ])
      expect(problemsOf(file, reads)).toEqual([]);
  });

  test('may not carry a leftover marker', () => {
    expect(problemsOf('lib/values/a.ts', `// ${['TO', 'DO'].join('')} later\n`)).toEqual([
      expect.stringContaining('lib/values/a.ts:1'),
    ]);
  });

  test('says server-only before anything else, if it says it', () => {
    expect(problemsOf('lib/values/a.ts', "// About it.\nimport 'server-only';\n")).toHaveLength(1);
    expect(problemsOf('lib/values/a.ts', "import 'server-only';\n")).toEqual([]);
  });
});

test('placeholders are the arguments of a message, not the words of its branches', () => {
  expect(
    placeholders('{name} sent {amount} to {n, plural, one {# person} other {# people of {place}}}'),
  ).toEqual(['name', 'amount', 'n', 'place']);
  expect(placeholders('{state, select, draft {taslak} other {bilinmiyor}}')).toEqual(['state']);
});

test('a lock file without the packages of other machines is noticed and can be completed', () => {
  const lock = {
    packages: {
      '': {},
      'node_modules/a': {
        version: '1.0.0',
        dev: true,
        optionalDependencies: { '@a/linux-x64-musl': '1.0.0', '@a/darwin-arm64': '1.0.0' },
      },
      'node_modules/@a/darwin-arm64': { version: '1.0.0' },
    },
  };
  expect(missingEntries(lock)).toEqual({
    'node_modules/@a/linux-x64-musl': {
      version: '1.0.0',
      cpu: ['x64'],
      libc: ['musl'],
      os: ['linux'],
      dev: true,
      optional: true,
    },
  });
});
