import type { Permission } from '#lib/access/actor.ts';

/**
 * Lists that can have saved views, because their address holds the whole filter, and the permission
 * that each needs. Pure.
 */
export const LIST_NEEDS = {
  payouts: 'movement.read',
  transfers: 'movement.read',
  recipients: 'movement.read',
  receipts: 'receipt.read',
  money_in: 'wallet.read',
  transactions: 'movement.read',
  withdrawals: 'movement.read',
  card_payments: 'card.read',
  recurring: 'card.read',
  webhooks: 'notice.read',
  audit: 'audit.read',
} as const satisfies Record<string, Permission>;

export type ViewList = keyof typeof LIST_NEEDS;

export function isViewList(name: string): name is ViewList {
  return Object.hasOwn(LIST_NEEDS, name);
}
