import type { Locale } from '#lib/values/locale.ts';
import { parseAmount } from '#lib/values/money.ts';

/** The terms of a plan as typed by a person. Pure. */

export const PAYMENTS_MIN = 2;
export const PAYMENTS_MAX = 121;

export type Terms = { amountMinor?: bigint; payments?: number };
export type ReadTerms =
  | { kind: 'change'; change: Terms }
  | { kind: 'error'; code: 'nothing' | 'amount' | 'payments' };

/**
 * The typed terms that differ from `before`, the terms that the form showed: the amount in minor
 * units as digits, the number of charges as digits or empty.
 */
export function readTerms(
  typed: { amount: string; payments: string },
  before: { amount: string; payments: string },
  currency: string,
  locale: Locale,
): ReadTerms {
  const amount = parseAmount(typed.amount, locale, currency);
  if (amount.kind !== 'ok') return { kind: 'error', code: 'amount' };
  const payments = typed.payments.trim();
  if (
    payments !== '' &&
    (!/^\d{1,3}$/.test(payments) ||
      Number(payments) < PAYMENTS_MIN ||
      Number(payments) > PAYMENTS_MAX)
  )
    return { kind: 'error', code: 'payments' };
  const change: Terms = {
    ...(amount.minor.toString() === before.amount ? {} : { amountMinor: amount.minor }),
    ...(payments === '' || payments === before.payments ? {} : { payments: Number(payments) }),
  };
  return Object.keys(change).length === 0
    ? { kind: 'error', code: 'nothing' }
    : { kind: 'change', change };
}
