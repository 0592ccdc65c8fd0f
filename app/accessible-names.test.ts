import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { LOCALES } from '#lib/values/locale.ts';

/**
 * A person who controls the computer by voice says the visible word on a button, so a longer
 * accessible name has to contain that word (WCAG 2.5.3). Axe checks this on the pages that it
 * visits; this test checks every name in the source that stands beside a visible word.
 */

const BUTTON =
  /<(?:\w*Button|\w*Link|button|a)\b[^<]*?label=\{\w+\(([^)]*'[^)]*)\)\}[^<>]*?>\s*(?:<\w+ aria-hidden[^>]*\/>\s*)?\{\w+\(([^)]*)\)\}/g;
const DIALOG = /label: \w+\(([^)]*)\),[^}]*?open: \w+\(([^)]*)\)/g;
const DIALOG_REVERSED = /open: \w+\(([^)]*)\),\s*label: \w+\(([^)]*)\)/g;

type Texts = { [key: string]: string | Texts };
type Pair = { path: string; label: string; word: string };

const keysIn = (call: string): string[] => [...call.matchAll(/'([\w.]+)'/g)].map(([, key]) => key!);

const PAIRS: Pair[] = globSync('{app,components}/**/*.tsx').flatMap((path) => {
  const source = readFileSync(path, 'utf8');
  const calls = [
    ...[...source.matchAll(BUTTON), ...source.matchAll(DIALOG)].map(([, label, word]) => ({
      label: keysIn(label!),
      word: keysIn(word!),
    })),
    ...[...source.matchAll(DIALOG_REVERSED)].map(([, word, label]) => ({
      label: keysIn(label!),
      word: keysIn(word!),
    })),
  ];
  return calls.flatMap(({ label, word }) =>
    label.flatMap((one, index) =>
      word[index] === undefined ? [] : [{ path, label: one, word: word[index] }],
    ),
  );
});

/**
 * The texts of a pair, once for each object of the messages that has both keys: two files may use
 * the same two names.
 */
function textsOf(texts: Texts, { label, word }: Pair): { label: string; word: string }[] {
  const found = [textAt(texts, label), textAt(texts, word)];
  return [
    ...(typeof found[0] === 'string' && typeof found[1] === 'string'
      ? [{ label: found[0], word: found[1] }]
      : []),
    ...Object.values(texts).flatMap((inner) =>
      typeof inner === 'string' ? [] : textsOf(inner, { path: '', label, word }),
    ),
  ];
}

function textAt(texts: Texts, key: string): string | Texts | undefined {
  return key
    .split('.')
    .reduce<string | Texts | undefined>(
      (at, part) => (typeof at === 'object' ? at[part] : undefined),
      texts,
    );
}

test.each(LOCALES)('an accessible name contains the visible word (%s)', (locale) => {
  expect(PAIRS.length).toBeGreaterThan(12);
  const messages = globSync(`messages/${locale}/*.json`).map(
    (path) => JSON.parse(readFileSync(path, 'utf8')) as Texts,
  );
  const folded = (text: string): string => text.toLocaleLowerCase(locale);
  const wrong = PAIRS.flatMap((pair) =>
    messages
      .flatMap((texts) => textsOf(texts, pair))
      .filter(({ label, word }) => !` ${folded(label)} `.match(wholeWords(folded(word))))
      .map(({ label, word }) => `${pair.path}: “${label}” is shown as “${word}”`),
  );
  expect([...new Set(wrong)]).toEqual([]);
});

/**
 * A pattern for whole words: “Dekontu” does not contain “Dekont”, because for voice control the
 * inflected form is another word.
 */
function wholeWords(words: string): RegExp {
  return new RegExp(`(?<!\\p{L})${words.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?!\\p{L})`, 'u');
}
