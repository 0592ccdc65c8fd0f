import { payoutListAddress } from '#lib/payouts/filter.ts';
import type { PayoutFilter } from '#lib/payouts/filter.ts';

/**
 * The filters that no field shows, each as a sentence; its address is the list without that filter.
 */
export function transferChips(
  filter: PayoutFilter,
  words: {
    part: (part: NonNullable<PayoutFilter['part']>) => string;
    waits: (group: NonNullable<PayoutFilter['waits']>) => string;
  },
): { text: string; href: string }[] {
  const without = (less: Partial<PayoutFilter>): string =>
    `/transfers${payoutListAddress({ ...filter, ...less })}`;
  const { part, waits } = filter;
  return [
    ...(part === null ? [] : [{ text: words.part(part), href: without({ part: null }) }]),
    ...(waits === null ? [] : [{ text: words.waits(waits), href: without({ waits: null }) }]),
  ];
}
