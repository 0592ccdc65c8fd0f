import { expect, test } from 'vitest';
import { ROOT } from '../processes.ts';
import { checkCitations, citationProblems } from './citations.ts';

/**
 * The opening of a doc comment, in two parts, so that the check does not read the samples of this
 * file as comments.
 */
const OPENING = ['/', '**'].join('');
const GOOD: Record<string, string> = {
  'README.md':
    '[the rules](docs/money-rules.md#steps), `lib/values/` and `lib/values/money.ts`, ' +
    '`money.ts` too; <https://example.test/lib/x.ts>\n',
  'docs/money-rules.md':
    '## Reads\n\n| Rule | Guarantee |\n|---|---|\n| I1 | once |\n\n| Step | From |\n|---|---|\n| 13 | again |\n',
  'lib/values/money.ts':
    '// See lib/values/money.ts. Rules: docs/money-rules.md, I1, docs/money-rules.md, ' +
    'step 13, docs/money-rules.md, "Reads".\nconst path = "lib/nowhere.ts";\n',
  'sim/violation.ts': "export const RULES = {\n  I1: 'once',\n};\n",
};

function problemsOf(change: Record<string, string>): string[] {
  const files: Record<string, string> = { ...GOOD, ...change };
  const folders = Object.keys(files).map((path) => path.replace(/[^/]*$/, ''));
  return citationProblems({
    paths: new Set(Object.keys(files)),
    read: (path) => files[path]!,
    has: (path) => files[path] !== undefined || folders.includes(path),
  });
}

test('whatever comments and documents of this project cite is there', () =>
  expect(checkCitations(ROOT)).toEqual([]));

test('paths in code are not citations, and what is there is not complained about', () =>
  expect(problemsOf({})).toEqual([]));

test.each<[string, Record<string, string>, string]>([
  [
    'a file that a comment names',
    { 'lib/a.ts': '// As in lib/gone.ts.\n' },
    'lib/a.ts: lib/gone.ts is not there.',
  ],
  [
    'a file that a comment over several lines names',
    { 'lib/a.ts': `${OPENING}\n * As in docs/gone.md\n */\n` },
    'lib/a.ts: docs/gone.md is not there.',
  ],
  [
    'a file that a document names',
    { 'docs/a.md': '`lib/gone.ts` :: «words»\n' },
    'docs/a.md: lib/gone.ts is not there.',
  ],
  [
    'a folder that a document names',
    { 'docs/a.md': '`lib/gone/`\n' },
    'docs/a.md: lib/gone/ is not there.',
  ],
  [
    'a name that no file has',
    { 'docs/a.md': '`gone.ts`\n' },
    'docs/a.md: no file is called gone.ts.',
  ],
  [
    'a link that leads nowhere',
    { 'docs/a.md': '[there](../lib/gone.ts)\n' },
    'docs/a.md: lib/gone.ts is not there.',
  ],
  [
    'a rule that does not exist',
    { 'lib/a.ts': '// docs/money-rules.md, I9\n' },
    'lib/a.ts: docs/money-rules.md, I9 is not there.',
  ],
  [
    'a step that does not exist',
    { 'lib/a.ts': '// docs/money-rules.md, step 20\n' },
    'docs/money-rules.md, step 20 is not there.',
  ],
  [
    'a section that does not exist',
    { 'lib/a.ts': '// docs/money-rules.md, "Writes"\n' },
    'docs/money-rules.md, "Writes" is not there.',
  ],
  [
    'a rule that the page does not explain',
    { 'sim/violation.ts': "  I1: 'once',\n  C7: 'new',\n" },
    'rule C7 of sim/violation.ts needs one row',
  ],
  [
    'a rule that the simulator does not know',
    { 'docs/money-rules.md': `${GOOD['docs/money-rules.md']}| Z | old |\n` },
    'rule Z is not in sim/violation.ts',
  ],
  ['a table of rules that cannot be read', { 'sim/violation.ts': '' }, 'no rule was found'],
])('finds %s', (_what, change, message) => {
  expect(problemsOf(change).join('\n')).toContain(message);
});
