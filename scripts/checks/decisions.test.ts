import { expect, test } from 'vitest';
import { ROOT } from '../processes.ts';
import { checkDecisions, decisionProblems } from './decisions.ts';

const FIRST = '0001-use-postgresql.md';
const SECOND = '0002-send-once.md';
const GOOD: Record<string, string> = {
  'README.md': `| # | Decision |\n|---|---|\n| 1 | [Use PostgreSQL](${FIRST}) |\n| 2 | [Send once](${SECOND}) |\n`,
  [FIRST]: '# 1. Use PostgreSQL\n',
  [SECOND]: '# 2. Send once\n',
};

test('the decisions of this project are numbered without gaps and all in the index', () =>
  expect(checkDecisions(ROOT)).toEqual([]));

test('whole decisions with a whole index are not complained about', () =>
  expect(decisionProblems(GOOD)).toEqual([]));

test.each<[string, Record<string, string>, string]>([
  ['a folder without a decision', { 'README.md': '' }, 'no decision was looked at'],
  [
    'a gap in the numbers',
    {
      'README.md': GOOD['README.md']!.replace('2', '3').replace(SECOND, '0003-send-once.md'),
      [FIRST]: GOOD[FIRST]!,
      '0003-send-once.md': '# 3. Send once\n',
    },
    'the next number is 2',
  ],
  [
    'a number that is used twice',
    {
      ...GOOD,
      '0002-another.md': '# 2. Another\n',
      'README.md': `${GOOD['README.md']}| 2 | [Another](0002-another.md) |\n`,
    },
    'the next number is 3',
  ],
  [
    'a page that the index does not name',
    { ...GOOD, 'README.md': GOOD['README.md']!.replace(/^\| 2.*\n/m, '') },
    'one row has to be "| 2 | [Send once]',
  ],
  [
    'a title that the index says otherwise',
    { ...GOOD, [SECOND]: '# 2. Send twice\n' },
    'one row has to be "| 2 | [Send twice]',
  ],
  [
    'a row of a page that is gone',
    { ...GOOD, 'README.md': `${GOOD['README.md']}| 3 | [Gone](0003-gone.md) |\n` },
    '0003-gone.md is not there',
  ],
  [
    'a heading without its number',
    { ...GOOD, [FIRST]: '# Use PostgreSQL\n' },
    'its first line is "# 1. What was decided"',
  ],
  ['a file of another name', { ...GOOD, 'notes.md': '# Notes\n' }, 'a decision is called NNNN'],
])('refuses %s', (_what, files, message) => {
  expect(decisionProblems(files).join('\n')).toContain(message);
});
