import type { World } from '../world.ts';
import type { Card } from './card.ts';

/**
 * The payments that the merchant's POS accepts, and their cost. Rates are hundredths of a percent,
 * amounts are minor units.
 */

export const CURRENCIES: Readonly<Record<string, number>> = { TRY: 1, USD: 2, EUR: 3 };
const COUNTS = [1, 2, 3, 6, 9, 12];
const FIXED_FEE = 25n;
/** The allowed pairs of agriculture cards: months to maturity and months between payments. */
export const AGRICULTURE_PAIRS: readonly (readonly [number, number])[] = [
  [3, 3],
  [6, 3],
  [6, 6],
  [12, 6],
  [12, 12],
];

export type Rate = { merchant: bigint; user: bigint };

/**
 * The commission rate of an installment count. Merchant: 1.50 %, and 0.35 % more for each further
 * installment. Buyer, where the buyer pays: 1.25 %, and 0.30 % more for each.
 */
export const rateOf = (count: number): Rate => ({
  merchant: 150n + 35n * BigInt(count - 1),
  user: 125n + 30n * BigInt(count - 1),
});

const share = (amount: bigint, rate: bigint): bigint => (amount * rate + 5000n) / 10_000n;

/**
 * The merchant's commission on an amount, in minor units; a fraction of a kuruş is rounded half up.
 */
export const feeOf = (amount: bigint, count: number): bigint =>
  share(amount, rateOf(count).merchant) + FIXED_FEE;
/** The commission that the buyer pays on top of the amount, where the buyer pays it. */
export const userFeeOf = (amount: bigint, count: number): bigint =>
  share(amount, rateOf(count).user);

export const percentText = (rate: bigint): string =>
  `${rate / 100n}.${(rate % 100n).toString().padStart(2, '0')}00`;
export const FIXED_FEE_TEXT = '0.2500';

/** The installment counts that the merchant's settings allow. */
export const merchantCounts = (world: World): number[] =>
  COUNTS.filter((count) => count <= world.cardMerchant.most_installments);

/**
 * The installment counts for this card. Only credit cards of a programme in lira have more than
 * one.
 */
export function countsFor(world: World, card: Card, currency: string): number[] {
  if (currency !== 'TRY' || card.debit || card.foreign || card.program === '')
    return merchantCounts(world).filter((count) => count === 1);
  return merchantCounts(world);
}

/** Whether the POS takes this card and currency; a foreign currency needs Visa or Mastercard. */
export const hasPos = (world: World, card: Card, currency: string): boolean =>
  world.cardMerchant.pos &&
  (currency === 'TRY' || card.scheme === 'visa' || card.scheme === 'mastercard');
