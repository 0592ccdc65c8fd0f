import type { Choice } from './knobs.ts';
import { Random } from './random.ts';

/** The kind of world: wallets, or cards. */
export const SIDES = ['wallet', 'card'] as const;
export type Side = (typeof SIDES)[number];

/** The side that a choice names, or that its seed draws. A drill always plays wallets. */
export function sideOf({ seed, side, drill }: Choice): Side {
  if (side !== undefined) return side;
  return drill === undefined && new Random(seed, 'side').chance(CARD_WORLDS) ? 'card' : 'wallet';
}

const CARD_WORLDS = 0.5;
