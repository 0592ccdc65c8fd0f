import { expect, it } from 'vitest';
import { searchText } from './search-text.ts';

it.each([
  ['  Işık\t\n  Ltd ', 'Işık Ltd'],
  ['i\u0307', 'i\u0307'.normalize('NFC')],
  ['a\u0000b', 'a b'],
  [`${'x'.repeat(99)}😀`, 'x'.repeat(99)],
  [`${'x'.repeat(98)}😀x`, `${'x'.repeat(98)}😀`],
  ['yarım\ud83d', 'yarım'],
])('%j is searched as %j', (typed, searched) => {
  expect(searchText(typed)).toBe(searched);
});
