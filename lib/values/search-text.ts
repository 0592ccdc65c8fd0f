/**
 * What a person typed into a search field: composed letters, single blanks in place of blanks and
 * control characters, at most `max` characters. Pure.
 */
export function searchText(typed: string, max = 100): string {
  return typed
    .normalize('NFC')
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, max);
}
