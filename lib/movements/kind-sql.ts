import 'server-only';
import { sql } from '#lib/runtime/db.ts';

/**
 * Movement kinds as conditions on a movement `m`. Literals, not bound parameters: a partial index
 * is used only when the condition matches its own text.
 */
export const IS_TRANSFER = sql`m.rail IN ('transfer_person', 'transfer_business', 'transfer_own')`;
export const IS_PAYOUT = sql`m.rail = 'payout'`;
export const IS_CARD_BALANCE_PAYOUT = sql`m.rail = 'cashout'`;
/** To a bank account, from a wallet or from the card balance. */
export const IS_TO_BANK = sql`m.rail IN ('payout', 'cashout')`;
export const IS_CARD_OPERATION = sql`m.rail IN ('card_capture', 'card_release', 'card_refund')`;
/** Kinds that appear in neither listing of the wallet service. */
export const IS_CARD_GATEWAY_KIND = sql`m.rail IN ('card_capture', 'card_release', 'card_refund', 'cashout')`;
export const IS_ANY_KIND = sql`m.rail IN ('payout',
  'transfer_person', 'transfer_business', 'transfer_own',
  'card_capture', 'card_release', 'card_refund', 'cashout')`;
