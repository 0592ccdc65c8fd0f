import { foldForSearch } from '#lib/values/turkish.ts';

/** The result of the query. `unchecked`: the provider could not answer, and nothing is sent. */
export type PersonFound =
  | { kind: 'found'; wallet: string; name: string | null }
  | { kind: 'nobody' }
  | { kind: 'unchecked' };

export type NameFit = 'fits' | 'similar' | 'differs' | 'unnamed';
const ACCOUNT_DIGITS = /^\d{4,20}$/;

export function readAccount(
  text: string,
): { account: string } | { error: 'account_required' | 'account_invalid' } {
  const account = text.replace(/[\s.\-\u00a0]/gu, '');
  if (account === '') return { error: 'account_required' };
  return ACCOUNT_DIGITS.test(account) ? { account } : { error: 'account_invalid' };
}

/**
 * Whether a name can be the one behind a mask ("El** Şa***"): word by word, by the letters that the
 * mask shows, ignoring Turkish diacritics. `similar`: some words fit and others do not, or one of
 * the two has more words.
 */
export function nameFit(name: string, masked: string | null): NameFit {
  const hidden = wordsOf(masked ?? '');
  if (hidden.every((word) => /^\*+$/.test(word))) return 'unnamed';
  const words = wordsOf(name);
  const fitting = hidden.filter((mask) => words.some((word) => fitsMask(word, mask))).length;
  if (fitting === 0) return 'differs';
  const inOrder =
    words.length === hidden.length && words.every((word, index) => fitsMask(word, hidden[index]!));
  return inOrder ? 'fits' : 'similar';
}

function fitsMask(word: string, mask: string): boolean {
  const [start = '', end = ''] = [
    mask.slice(0, Math.max(0, mask.indexOf('*'))),
    mask.slice(mask.lastIndexOf('*') + 1),
  ];
  if (!mask.includes('*')) return word === mask;
  return word.startsWith(start) && word.endsWith(end) && word.length >= start.length + end.length;
}

function wordsOf(text: string): string[] {
  return foldForSearch(text)
    .split(' ')
    .filter((word) => word !== '');
}
