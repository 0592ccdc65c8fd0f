import { describe, expect, test } from 'vitest';
import { proofProblems } from './proofs.ts';

const FILES: Record<string, string> = {
  'lib/a.test.ts':
    "test('it holds', () => {});\ntest('the bank\\'s answer', f);\ntest(`in ${language}`, f);",
};
const problems = (...rows: string[]): string[] =>
  proofProblems('docs/t.md', rows.join('\n'), 2, (path) => FILES[path]);
const GOOD = "| 1 | a | `lib/a.test.ts` :: «it holds»; `lib/a.test.ts` :: «the bank's answer» |";
const WAITING = '| 2 | b | waits for cards, because there is no card page yet |';

describe('a table of proofs', () => {
  test('is whole when every number is there once and every title exists as it is written', () => {
    expect(problems(GOOD, WAITING)).toEqual([]);
    expect(problems(GOOD, '| 2 | b | `lib/a.test.ts` :: «in ${language}» |')).toEqual([]);
  });

  test.each<[string, string[], string]>([
    ['a missing row', [GOOD], 'row 2 is there 0 times'],
    ['a row twice', [GOOD, GOOD, WAITING], 'row 1 is there 2 times'],
    ['a row too many', [GOOD, WAITING, '| 3 | c | waits for x, because y |'], 'no row 3'],
    [
      'a title that no test has any more',
      [GOOD.replace('it holds', 'it held'), WAITING],
      'nothing called «it held»',
    ],
    [
      'a part of a title',
      [GOOD.replace('it holds', 'it hold'), WAITING],
      'nothing called «it hold»',
    ],
    [
      'a file that is gone',
      [GOOD.replace('lib/a.test.ts` :: «it', 'lib/b.test.ts` :: «it'), WAITING],
      'lib/b.test.ts, which is not there',
    ],
    [
      'a proof that cannot be read',
      [GOOD.replace('«it holds»', '"it holds"'), WAITING],
      'cannot be read',
    ],
    [
      'a finding whose proof is gone',
      [GOOD, WAITING, '| F3 | c | `gone.ts` :: «x» |'],
      'gone.ts, which is not there',
    ],
    ['a row without anything', [GOOD, '| 2 | b | covered |'], 'neither a proof nor'],
    ['waiting without a reason', [GOOD, '| 2 | b | waits for cards |'], 'neither a proof nor'],
  ])('is not whole with %s', (_what, rows, message) => {
    expect(problems(...rows)).toEqual([expect.stringContaining(message)]);
  });
});
