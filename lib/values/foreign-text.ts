/**
 * Text from outside is shown next to our own. Characters that change the reading direction, and so
 * make a name or an amount look different from what it is, are written out. Pure.
 */

/**
 * Embeddings, overrides, isolates and direction marks (Unicode Bidirectional Algorithm, section 2).
 */
const DIRECTION = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;
const EVERY_DIRECTION = new RegExp(DIRECTION, 'g');

/** The text with each such character written out: `Ali [U+202E]gnp.exe`. */
export function visibleText(text: string): string {
  // Few texts contain one, and this runs for every text on a screen: a test costs a quarter of a
  // replace.
  if (!DIRECTION.test(text)) return text;
  return text.replace(
    EVERY_DIRECTION,
    (character) => `[U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}]`,
  );
}
