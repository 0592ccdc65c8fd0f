import type { WalletAccess } from '#lib/providers/wallet/types.ts';

/**
 * Whether money may leave a wallet, by the access level of its record: one rule for pickers,
 * summaries and the operations that store an intent, which check it again with a wallet read at
 * that moment. Pure.
 */

/**
 * Why no money may leave a wallet. The provider refuses such a payment with 330, 334 or 336
 * (`contract`); which level belongs to which code is `assumed`.
 */
export type WalletStop = Exclude<WalletAccess, 'active' | 'unknown'>;

/**
 * `unsure`: an undocumented level. The wallet may be chosen, with an explicit confirmation.
 */
export type MayPayFrom = { kind: 'yes' } | { kind: 'unsure' } | { kind: 'no'; why: WalletStop };

/**
 * The codes do not tell sender from receiver, so the rule also applies to a wallet of our own that
 * would receive a transfer.
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
