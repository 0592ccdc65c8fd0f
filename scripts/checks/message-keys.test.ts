import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { checkMessageKeys } from './message-keys.ts';

const TEXTS = {
  'messages/tr/money-in.json': { title: 'x', states: { open: 'a', closed: 'b' } },
  'messages/tr/new-payout.json': { amount: { label: 'x' } },
  'messages/tr/new-transfer.json': { person: { name: 'x' } },
};

let root: string;
beforeEach(() => (root = mkdtempSync(join(tmpdir(), 'message-keys-'))));
afterEach(() => rmSync(root, { recursive: true }));

/**
 * Returns the problems of a project with these texts and one file, or several files by their paths.
 */
function problemsOf(code: string | Record<string, string>): string[] {
  const files = typeof code === 'string' ? { 'app/page.tsx': code } : code;
  const texts = Object.entries(TEXTS).map(
    ([name, words]) => [name, JSON.stringify(words)] as const,
  );
  for (const [name, text] of [...texts, ...Object.entries(files)]) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  return checkMessageKeys(root);
}

const missing = (key: string) => [expect.stringMatching(new RegExp(`^app/page\\.tsx:\\d.*${key}`))];

describe('a key that the code names', () => {
  test('has a text: one that has none is named with its file and line', () => {
    const page = (key: string) =>
      `const t = useTranslations('moneyIn');\nexport const a = t('title') + t('${key}');\n`;
    expect(problemsOf(page('states.open'))).toEqual([]);
    expect(problemsOf(page('states.gone'))).toEqual([
      'app/page.tsx:2: messages/tr has no text moneyIn.states.gone.',
    ]);
  });

  test('is a text and not a branch, unless it is read raw', () => {
    const page = (call: string) => `const t = await getTranslations('moneyIn');\n${call};\n`;
    expect(problemsOf(page("t('states')"))).toEqual(missing('moneyIn.states'));
    expect(problemsOf(page("t.raw('states')"))).toEqual([]);
    expect(problemsOf(page("t.rich('gone', {})"))).toEqual(missing('moneyIn.gone'));
  });

  test('hangs on a branch that is there, also where the key itself is computed', () => {
    const page = (branch: string) => `export const a = useTranslations('${branch}')(state);\n`;
    expect(problemsOf(page('moneyIn.states'))).toEqual([]);
    expect(problemsOf(page('moneyIn.gone'))).toEqual(missing('moneyIn.gone'));
    expect(problemsOf(page('moneyIn.title'))).toEqual(missing('moneyIn.title'));
  });

  test('is found however the translator was come by', () => {
    for (const asks of [
      "(await getTranslations('moneyIn'))('gone');",
      "useTranslations()('moneyIn.gone');",
      "const [n, t] = await Promise.all([count(), getTranslations('moneyIn')]);\nt('gone');",
      "type Words = ReturnType<typeof useTranslations<'moneyIn'>>;\nconst a = (t: Words) => t('gone');",
      "function A({ t }: { t: Awaited<ReturnType<typeof getTranslations<'moneyIn'>>> }) { t('gone'); }",
      "const t = useTranslations('moneyIn');\nt(sure ? 'title' : 'gone');",
    ])
      expect(problemsOf(asks), asks).toEqual(missing('moneyIn.gone'));
  });

  test('belongs to the translator of its own function', () => {
    expect(
      problemsOf(
        "function A() { const t = useTranslations('newPayout'); return t('amount.label'); }\n" +
          "function B() { const t = useTranslations('moneyIn'); return t('title'); }\n" +
          "function C(t: (key: string) => string) { return t('gone'); }\n",
      ),
    ).toEqual([]);
  });

  test('may have a part that is filled in, if some text has the rest', () => {
    const page = (key: string) =>
      `const t = useTranslations('moneyIn');\nt(${key});\nt('title');\n`;
    expect(problemsOf(page('`states.${state}`'))).toEqual([]);
    expect(problemsOf(page('`verdicts.${state}`'))).toEqual(missing('moneyIn.verdicts'));
    expect(problemsOf(page('state'))).toEqual([]);
  });

  test('may have its text in a namespace that stands in the place of another', () => {
    const form = "export const name = useTranslations('newPayout')('person.name');\n";
    expect(problemsOf(form)).toEqual(missing('newPayout.person.name'));
    const other =
      "export const a = <Messages of={['newPayout']} instead={{ newPayout: 'newTransfer' }} />;\n";
    expect(problemsOf({ 'app/page.tsx': form, 'app/other.tsx': other })).toEqual([]);
  });
});

test('a project in which no file asks for a text is no success', () => {
  expect(problemsOf('export {};\n')).toHaveLength(1);
});
