import type { KnownCharge } from '#lib/cards/recurring/plan.ts';

/**
 * The charges of the plan as they were before a charge that a restored database shows as not sent:
 * whatever it asked for was pending when it was asked.
 */
export function chargesBeforeRestored(
  number: number | null,
  charges: KnownCharge[],
): KnownCharge[] {
  return number === null
    ? charges
    : charges.map((one) => (one.number === number ? { ...one, status: 'pending' } : one));
}
