import { createTranslator } from 'use-intl/core';
import { expect, it } from 'vitest';
import { LOCALES } from '#lib/values/locale.ts';
import en from '../../../messages/en/foreseen.json' with { type: 'json' };
import tr from '../../../messages/tr/foreseen.json' with { type: 'json' };
import { foreseenSentence } from './foreseen-words.ts';

const MESSAGES = { tr, en };

it.each(LOCALES)('no sentence gives one name for two people (%s)', (locale) => {
  const t = createTranslator({
    locale,
    messages: { foreseen: MESSAGES[locale] },
    namespace: 'foreseen',
  });
  const sentence = (names: string[], lacksPeople: boolean): string => {
    const { key, names: listed } = foreseenSentence({ needed: 2, names, lacksPeople }, locale);
    return t(key, { names: listed });
  };
  const two = /^(Two people|İki kişi)/;
  expect(sentence(['Selin', 'Mehmet'], false)).toMatch(two);
  expect(sentence(['Selin'], true)).not.toMatch(two);
  expect(sentence(['Selin'], true)).toMatch(/(two approvals|İki onay).*Selin/);
  expect(sentence(['Selin', 'Deniz'], true), 'a deputy and the person represented').not.toMatch(
    two,
  );
});
