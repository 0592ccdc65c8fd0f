import { afterAll, beforeAll, expect, it } from 'vitest';
import { testMerchant } from '#lib/testing/database.ts';
import type { TestMerchant } from '#lib/testing/database.ts';
import { foldForSearch } from '#lib/values/turkish.ts';
import { wordsOf } from '#lib/readings/understand.ts';

let merchant: TestMerchant;
beforeAll(async () => {
  merchant = await testMerchant();
});
afterAll(() => merchant.close());

it('divides a text into the same words as the database, whatever character is in it', async () => {
  const { rows } = await merchant.owner.query<{ code: number; folded: string; words: string[] }>(
    `SELECT code, folded, tsvector_to_array(search_words(folded, VARIADIC '{}')) AS words
      FROM generate_series(1, 130048) code, fold_for_search('ab' || chr(code) || 'cd') folded
      WHERE code NOT BETWEEN 55296 AND 57343`,
  );
  // The two know different versions of Unicode, so that a new character may be folded by one only.
  const different = rows.filter(({ code, folded, words }) => {
    const text = `ab${String.fromCodePoint(code)}cd`;
    if (foldForSearch(text) !== folded) return false;
    const typed = wordsOf(text);
    return typed.some((word) => !words.includes(word));
  });
  expect(different.map(({ code }) => code.toString(16))).toEqual([]);
  expect(
    [0x2bc, 0x3005, 0xfffd].map((code) => wordsOf(`ab${String.fromCodePoint(code)}cd`)),
  ).toEqual([['ab', 'cd'], ['ab', 'cd'], [`ab\ufffdcd`]]);
});
