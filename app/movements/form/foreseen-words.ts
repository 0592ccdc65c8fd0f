import type { Foreseen } from '#lib/approvals/foresee.ts';

/**
 * Which sentence says who approves, and its names as one list. Where fewer people may approve than
 * are needed, it does not promise that it leaves. Pure.
 */
export function foreseenSentence(
  { needed, names, lacksPeople }: Foreseen,
  locale: string,
): { key: 'one' | 'two' | 'short'; names: string } {
  // Two of two are named with "and": nobody else can take the place of one of them.
  const type = needed > 1 && names.length <= needed ? 'conjunction' : 'disjunction';
  return {
    key: needed === 1 ? 'one' : lacksPeople ? 'short' : 'two',
    names: new Intl.ListFormat(locale, { type }).format(names),
  };
}
