import type { World } from '../world.ts';
import type { Card } from './card.ts';

/**
 * Which payments the merchant's POS accepts, and what they cost. Rates are hundredths of a percent;
 * amounts minor units.
 */

export const CURRENCIES: Readonly<Record<string, number>> = { TRY: 1, USD: 2, EUR: 3 };
const COUNTS = [1, 2, 3, 6, 9, 12];
const FIXED_FEE = 25n;
/** Agriculture cards: months to maturity and months between payments. */
export const AGRICULTURE_PAIRS: readonly (readonly [number, number])[] = [
  [3, 3],
  [6, 3],
  [6, 6],
  [12, 6],
  [12, 12],
];

export type Rate = { merchant: bigint; user: bigint };

/**
 * Single payment 1.50 %, each further installment 0.35 % more; the buyer's share is the same where
 * the buyer pays.
 */
export const rateOf = (count: number): Rate => ({
  merchant: 150n + 35n * BigInt(count - 1),
  user: 125n + 30n * BigInt(count - 1),
});

const share = (amount: bigint, rate: bigint): bigint => (amount * rate + 5000n) / 10_000n;

/** The merchant's commission. A share that is not a whole kuruş is rounded half up. */
export const feeOf = (amount: bigint, count: number): bigint =>
  share(amount, rateOf(count).merchant) + FIXED_FEE;
/** What the buyer pays on top where the buyer pays the commission. */
export const userFeeOf = (amount: bigint, count: number): bigint =>
  share(amount, rateOf(count).user);

export const percentText = (rate: bigint): string =>
  `${rate / 100n}.${(rate % 100n).toString().padStart(2, '0')}00`;
export const FIXED_FEE_TEXT = '0.2500';

/** Installment counts of the merchant at all. */
export const merchantCounts = (world: World): number[] =>
  COUNTS.filter((count) => count <= world.cardMerchant.most_installments);

/** Counts for this card: installments are for credit cards of a programme, in lira. */
export function countsFor(world: World, card: Card, currency: string): number[] {
  if (currency !== 'TRY' || card.debit || card.foreign || card.program === '')
    return merchantCounts(world).filter((count) => count === 1);
  return merchantCounts(world);
}

/** Foreign currency needs an international scheme. */
export const hasPos = (world: World, card: Card, currency: string): boolean =>
  world.cardMerchant.pos &&
  (currency === 'TRY' || card.scheme === 'visa' || card.scheme === 'mastercard');
