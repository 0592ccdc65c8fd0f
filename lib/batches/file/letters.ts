/**
 * Turkish letters that a wrong encoding has changed, before or in the file. Only the pairs that
 * occur in no Turkish text are put back. Pure.
 */

const LETTERS = 'çÇğĞıİöÖşŞüÜâÂîÎûÛ';
/** UTF-8 read as Windows-1254 or Windows-1252: 'Ã¼' for 'ü', 'Ä±' for 'ı'. */
const DOUBLED = new Map(
  [...LETTERS].flatMap((letter) => {
    const bytes = new TextEncoder().encode(letter);
    return ['windows-1254', 'windows-1252'].map(
      (encoding) => [new TextDecoder(encoding).decode(bytes), letter] as const,
    );
  }),
);
/** Windows-1254 read as Windows-1252: Icelandic letters for Turkish ones. */
const ICELANDIC = new Map([
  ['ð', 'ğ'],
  ['Ð', 'Ğ'],
  ['ý', 'ı'],
  ['Ý', 'İ'],
  ['þ', 'ş'],
  ['Þ', 'Ş'],
]);
const BROKEN = new RegExp(
  [...DOUBLED.keys(), ...ICELANDIC.keys()].sort((a, b) => b.length - a.length).join('|'),
  'gu',
);

/** The text with its Turkish letters. */
export function turkishLetters(text: string): string {
  return text.replace(BROKEN, (found) => DOUBLED.get(found) ?? ICELANDIC.get(found) ?? found);
}
