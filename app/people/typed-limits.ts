import type { LimitView } from '#lib/people/limit-view.ts';
import { POLICY_CURRENCIES } from '#lib/policy/rules.ts';
import type { Locale } from '#lib/values/locale.ts';
import { formatAmount, parseDecimal } from '#lib/values/money.ts';

/** A limit as it would be typed; both texts are empty where there is none. */
export type TypedLimit = { currency: string; single: string; day: string };

/**
 * The limits of a person as the fields of the form start with them: one for each currency, those
 * that stand first. Pure.
 */
export function typedLimits(limits: readonly LimitView[], locale: Locale): TypedLimit[] {
  const typed = (amount: string | null | undefined): string =>
    amount === null || amount === undefined ? '' : formatAmount(parseDecimal(amount), locale);
  const standing = limits.map((one) => one.currency);
  const others = POLICY_CURRENCIES.filter((one) => !standing.includes(one));
  return [...standing, ...others].map((currency) => {
    const limit = limits.find((one) => one.currency === currency);
    return { currency, single: typed(limit?.single), day: typed(limit?.day) };
  });
}
