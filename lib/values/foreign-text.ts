/**
 * What strangers write stands beside what we write. Characters that change the direction of text,
 * and so make a name or an amount read otherwise than it is, are shown as what they are. Pure.
 */

/**
 * Embeddings, overrides, isolates and marks of direction (Unicode Bidirectional Algorithm, section
 * 2).
 */
const DIRECTION = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;
const EVERY_DIRECTION = new RegExp(DIRECTION, 'g');

/** The text with each such character written out: `Ali [U+202E]gnp.exe`. */
export function visibleText(text: string): string {
  // Hardly any text has one, and this is asked of all that is drawn: to look costs a quarter of
  // what replacing does.
  if (!DIRECTION.test(text)) return text;
  return text.replace(
    EVERY_DIRECTION,
    (character) => `[U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}]`,
  );
}
