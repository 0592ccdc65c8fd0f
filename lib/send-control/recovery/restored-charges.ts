import type { KnownCharge } from '#lib/cards/recurring/plan.ts';

/**
 * The plan's charges as they were before a charge that a restored database shows as not sent: the
 * instalment that it charges was pending at that time.
 */
export function chargesBeforeRestored(
  number: number | null,
  charges: KnownCharge[],
): KnownCharge[] {
  return number === null
    ? charges
    : charges.map((one) => (one.number === number ? { ...one, status: 'pending' } : one));
}
