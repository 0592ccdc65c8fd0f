import 'server-only';
import { sql } from '#lib/db.ts';

/** The rails as conditions on a movement `m`. Written out, not bound: a partial index is found by the words of its own condition. */
export const IS_TRANSFER = sql`m.rail IN ('transfer_person', 'transfer_business', 'transfer_own')`;
export const IS_PAYOUT = sql`m.rail = 'payout'`;
export const IS_CARD_OPERATION = sql`m.rail IN ('card_capture', 'card_release', 'card_refund')`;
export const IS_ANY_RAIL = sql`m.rail IN ('payout', 'transfer_person', 'transfer_business', 'transfer_own', 'card_capture', 'card_release', 'card_refund')`;
