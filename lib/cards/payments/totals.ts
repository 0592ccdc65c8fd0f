import { parseDecimal, toDecimal } from '#lib/values/money.ts';
import { partsOf } from './filter.ts';
import type { CardPartFilter } from './filter.ts';
import type { CardTotal } from './list.ts';

/** The sum of a part, or of a group of parts, in one currency. Pure. */
export type PartSum = Pick<CardTotal, 'currency' | 'unknown' | 'sum'>;

/** The sums of a part, or of a group of parts: one for each currency, in the order of the totals. */
export function sumsOf(totals: readonly CardTotal[], filter: CardPartFilter): PartSum[] {
  const parts = partsOf(filter);
  const sums = new Map<string, PartSum>();
  for (const { part, currency, unknown, sum } of totals) {
    if (!parts.includes(part)) continue;
    const before = sums.get(currency);
    sums.set(currency, {
      currency,
      unknown: (before?.unknown ?? 0) + unknown,
      sum: added(before?.sum ?? null, sum),
    });
  }
  return [...sums.values()];
}

function added(one: string | null, other: string | null): string | null {
  if (one === null || other === null) return one ?? other;
  return toDecimal(parseDecimal(one) + parseDecimal(other));
}
