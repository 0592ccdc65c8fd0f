import 'server-only';
import { sql } from '#lib/runtime/db.ts';

/**
 * The rails as conditions on a movement `m`. Written out, not bound: a partial index is found by
 * the words of its own condition.
 */
export const IS_TRANSFER = sql`m.rail IN ('transfer_person', 'transfer_business', 'transfer_own')`;
export const IS_PAYOUT = sql`m.rail = 'payout'`;
export const IS_CARD_BALANCE_PAYOUT = sql`m.rail = 'cashout'`;
/** To a bank account, out of whatever. */
export const IS_TO_BANK = sql`m.rail IN ('payout', 'cashout')`;
export const IS_CARD_OPERATION = sql`m.rail IN ('card_capture', 'card_release', 'card_refund')`;
/** What neither listing of the wallet service can show. */
export const IS_CARD_GATEWAY_KIND = sql`m.rail IN ('card_capture', 'card_release', 'card_refund', 'cashout')`;
export const IS_ANY_KIND = sql`m.rail IN ('payout', 'transfer_person', 'transfer_business', 'transfer_own', 'card_capture', 'card_release', 'card_refund', 'cashout')`;
