import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { LOCALES } from '#lib/values/locale.ts';
import { MESSAGE_FILES, MESSAGES } from './messages.ts';

const FOLDER = join(import.meta.dirname, '../../messages');
/** This file belongs to the bundle of the error pages: components/error-words.ts. */
const OF_ERROR_PAGES = 'error';

test.each(LOCALES)(
  'every file of messages/%s is listed, and every listed file is there',
  (locale) => {
    const files = readdirSync(join(FOLDER, locale)).map((file) => file.replace(/\.json$/, ''));
    expect(files.sort()).toEqual([...MESSAGE_FILES, OF_ERROR_PAGES].sort());
  },
);

test('no folder of messages is that of a language which nobody can choose', () => {
  expect(readdirSync(FOLDER).sort()).toEqual([...LOCALES].sort());
});

test('a file’s namespace is its name in camel case, in every language', () => {
  for (const locale of LOCALES) {
    expect(Object.keys(MESSAGES[locale]).length).toBe(MESSAGE_FILES.length);
    expect(MESSAGES[locale]).toMatchObject({ payoutErrors: {}, moneyIn: { tell: {} }, home: {} });
  }
});
