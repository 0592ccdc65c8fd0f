import type { Edit } from './mutation.ts';

/**
 * Finds the text of a planted bug whatever the line breaks are: white space between two tokens and
 * a comma before a closing bracket belong to the formatter and are not compared.
 */

const TOKEN = /[\w$]+|[^\s\w$]/g;
const WORD = /^[\w$]/;
const CLOSING = /^[)\]}]$/;

/** In how many places of `text` the text of a bug stands. */
export function placesOf(text: string, find: string): number {
  return [...text.matchAll(new RegExp(patternOf(find), 'g'))].length;
}

/** `text` with the bug in it, at the first place where its own text stands. */
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
