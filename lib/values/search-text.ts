/**
 * What a person typed into a search field: composed letters, single blanks in place of blanks and
 * control characters, at most `max` characters. A letter that the end cuts in half is left out: its
 * half could be stored in no JSON of the database. Pure.
 */
export function searchText(typed: string, max = 100): string {
  return typed
    .normalize('NFC')
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, max)
    .replace(/\p{Cs}/gu, '');
}
