import type { Edit } from './mutation.ts';

/**
 * Finds the text of a planted bug however the file is formatted: white space between two tokens and
 * a comma before a closing bracket are not compared.
 */

const TOKEN = /[\w$]+|[^\s\w$]/g;
const WORD = /^[\w$]/;
const CLOSING = /^[)\]}]$/;

/** The number of places of `text` at which the text of a bug occurs. */
export function placesOf(text: string, find: string): number {
  return [...text.matchAll(new RegExp(patternOf(find), 'g'))].length;
}

/** `text` with the bug in it, at the first place at which the text to replace occurs. */
export function withEdit(text: string, { find, replace }: Pick<Edit, 'find' | 'replace'>): string {
  return text.replace(new RegExp(patternOf(find)), () => replace);
}

function patternOf(find: string): string {
  const tokens = find.match(TOKEN) ?? [];
  const kept = tokens.filter((token, at) => token !== ',' || !CLOSING.test(tokens[at + 1] ?? ''));
  return kept
    .map((token, at) => gap(kept[at - 1], token) + token.replace(/[^\w\s]/g, '\\$&'))
    .join('');
}

function gap(before: string | undefined, token: string): string {
  if (before === undefined) return '';
  if (CLOSING.test(token)) return String.raw`\s*,?\s*`;
  return WORD.test(before) && WORD.test(token) ? String.raw`\s+` : String.raw`\s*`;
}
