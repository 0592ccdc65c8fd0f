/** Which ways to take a payment there are. Pure. */
import type { CardEntry, PaymentMode } from '#lib/providers/card/types.ts';
import type { ChargeKind } from './content.ts';

/**
 * What the merchant's contract with the gateway allows (`is_3d`, `contract`); a link needs nothing
 * of it (`published`).
 */
const BY_MODE: Record<PaymentMode, readonly ChargeKind[]> = {
  three_d: ['three_d', 'saved_three_d', 'link'],
  choice: ['three_d', 'non_secure', 'saved_three_d', 'saved_non_secure', 'link'],
  non_secure: ['non_secure', 'saved_non_secure', 'link'],
  branded: ['link'],
  // A word that nobody knows: the safest way and the one that needs no card.
  unknown: ['three_d', 'saved_three_d', 'link'],
};

/**
 * How far this installation lets card numbers come (docs/money-rules.md, "Card numbers"). With a
 * saved card and a link nobody types one here.
 */
const BY_ENTRY: Record<CardEntry, readonly ChargeKind[]> = {
  off: ['saved_three_d', 'saved_non_secure', 'link'],
  '3d': ['three_d', 'saved_three_d', 'saved_non_secure', 'link'],
  all: ['three_d', 'non_secure', 'saved_three_d', 'saved_non_secure', 'link'],
};

export function waysOf(mode: PaymentMode, entry: CardEntry): ChargeKind[] {
  return BY_MODE[mode].filter((kind) => BY_ENTRY[entry].includes(kind));
}
