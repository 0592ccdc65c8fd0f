import type { Choice } from './knobs.ts';
import { Random } from './random.ts';

/** What kind of world it is: money of wallets, or money of cards. */
export const SIDES = ['wallet', 'card'] as const;
export type Side = (typeof SIDES)[number];

/** A choice names the side, or its seed draws it. A drill is a trouble of wallets. */
export function sideOf({ seed, side, drill }: Choice): Side {
  if (side !== undefined) return side;
  return drill === undefined && new Random(seed, 'side').chance(CARD_WORLDS) ? 'card' : 'wallet';
}

const CARD_WORLDS = 0.5;
