import 'server-only';
import { createHash, timingSafeEqual } from 'node:crypto';

/**
 * The minimum number of distinct characters of a secret. One in three hundred texts of 32 random
 * hexadecimal digits has fewer; a text of decimal digits has ten at most.
 */
const FEWEST_CHARACTERS = 11;
const PLACEHOLDER =
  /change.?me|replace.?me|your.?(?:secret|key)|secret|passw|parola|example|default|dashboard|12345678|abcdefgh|qwerty/i;

/**
 * Few distinct characters, one frequent character, a repeated piece, or the words of an example:
 * text that no random generator writes.
 */
export function isGuessable(text: string): boolean {
  const counts = Map.groupBy(text, (character) => character);
  const most = Math.max(...[...counts.values()].map((all) => all.length));
  return (
    counts.size < FEWEST_CHARACTERS ||
    most > text.length / 3 ||
    PLACEHOLDER.test(text) ||
    /^(.{1,16}?)\1+$/.test(text)
  );
}

/**
 * Compares two secrets in constant time, whatever their lengths.
 */
export function hashesMatch(given: string, expected: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}
