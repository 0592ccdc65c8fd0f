import type { WalletAccess } from '#lib/providers/wallet/types.ts';

/**
 * Whether money may leave a wallet, as the access level of its record says: one rule for pickers,
 * summaries and the verbs that store an intent, which ask it again of a wallet read at that moment.
 * Pure.
 */

/**
 * Why nothing may leave. The provider refuses it by 330, 334 and 336 (`contract`); which level
 * stands for which is `assumed`.
 */
export type WalletStop = Exclude<WalletAccess, 'active' | 'unknown'>;

/**
 * `unsure`: a level nobody has told us about. It may be chosen, and a person says that it was seen.
 */
export type MayPayFrom = { kind: 'yes' } | { kind: 'unsure' } | { kind: 'no'; why: WalletStop };

/**
 * The codes name no side, so the same goes for a wallet of our own that would receive a transfer.
 */
export function mayPayFrom(access: WalletAccess): MayPayFrom {
  switch (access) {
    case 'active':
      return { kind: 'yes' };
    case 'unknown':
      return { kind: 'unsure' };
    default:
      return { kind: 'no', why: access };
  }
}
