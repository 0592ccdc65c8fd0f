/** The available ways to take a card payment. Pure. */
import type { CardEntry, PaymentMode } from '#lib/providers/card/types.ts';
import type { ChargeKind } from './content.ts';

/**
 * The ways that the merchant's contract with the gateway allows (`is_3d`, `contract`); a link does
 * not depend on it (`published`).
 */
const BY_MODE: Record<PaymentMode, readonly ChargeKind[]> = {
  three_d: ['three_d', 'saved_three_d', 'link'],
  choice: ['three_d', 'non_secure', 'saved_three_d', 'saved_non_secure', 'link'],
  non_secure: ['non_secure', 'saved_non_secure', 'link'],
  branded: ['link'],
  // Unknown mode: only the safest ways and the one that needs no card.
  unknown: ['three_d', 'saved_three_d', 'link'],
};

/**
 * How far card numbers may enter this installation (docs/money-rules.md, "Card numbers"). Saved
 * cards and links need no card number here.
 */
const BY_ENTRY: Record<CardEntry, readonly ChargeKind[]> = {
  off: ['saved_three_d', 'saved_non_secure', 'link'],
  '3d': ['three_d', 'saved_three_d', 'saved_non_secure', 'link'],
  all: ['three_d', 'non_secure', 'saved_three_d', 'saved_non_secure', 'link'],
};

export function waysOf(mode: PaymentMode, entry: CardEntry): ChargeKind[] {
  return BY_MODE[mode].filter((kind) => BY_ENTRY[entry].includes(kind));
}
