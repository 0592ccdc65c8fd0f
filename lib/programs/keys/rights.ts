import type { Permission } from '#lib/access/actor.ts';

/** What an API key may do, and what a stored one is worth now. Pure. */

export const KEY_RIGHTS = [
  'payouts.prepare',
  'payouts.read',
  'batches.prepare',
  'batches.read',
] as const;
export type KeyRight = (typeof KEY_RIGHTS)[number];

/** What the key's person needs for each right: a key never does what its person may not. */
export const NEEDS: Readonly<Record<KeyRight, Permission>> = {
  'payouts.prepare': 'payout.prepare',
  'payouts.read': 'payee.read',
  'batches.prepare': 'payout.prepare',
  'batches.read': 'payee.read',
};

/** The claim of a statement about a key: what a key may do never changes. */
export const USE = 'use';

export const KEY_NAME_MAX = 60;
/** Keys of a merchant that work or wait, at most. */
export const KEYS_MAX = 20;

export type KeyState = 'waiting' | 'lapsed' | 'works' | 'idle' | 'revoked';

/**
 * `waiting`: a second person has to confirm it. `lapsed`: nobody did within a day. `idle`: its
 * person is disabled, or may do nothing of it any more, so that the key does nothing.
 */
export function keyState(key: {
  confirmed: boolean;
  revoked: boolean;
  asked: boolean;
  personMay: boolean;
}): KeyState {
  if (key.revoked) return 'revoked';
  if (!key.confirmed) return key.asked ? 'waiting' : 'lapsed';
  return key.personMay ? 'works' : 'idle';
}
