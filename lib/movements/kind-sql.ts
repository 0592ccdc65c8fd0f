import 'server-only';
import { literal, sql } from '#lib/runtime/db.ts';
import { CARD_BALANCE_PAYOUT, kindsWhere } from './kinds.ts';
import type { KindFacts } from './kinds.ts';

/**
 * Movement kinds as conditions on a movement `m`. Literals, not bound parameters: a partial index
 * is used only when the condition matches its own text.
 */
export const IS_TRANSFER = isOneOf(({ list }) => list === 'transfers');
export const IS_PAYOUT = sql`m.kind = 'payout'`;
export const IS_CARD_BALANCE_PAYOUT = literal(`m.kind = '${CARD_BALANCE_PAYOUT}'`);
/** Whether a movement pays to a bank account, from a wallet or from the card balance. */
export const IS_TO_BANK = isOneOf(({ payee }) => payee === 'bank_account');
export const IS_CARD_OPERATION = isOneOf(({ list }) => list === 'card_operations');
/** Kinds that appear in neither listing of the wallet service. */
export const IS_CARD_GATEWAY_KIND = isOneOf(({ provider }) => provider === 'card');
/** Kinds whose movements a list of their own shows. */
export const IS_LISTED = isOneOf(({ list }) => list !== 'card_operations');
export const IS_ANY_KIND = isOneOf(() => true);
/**
 * Whether a movement was made within 24 hours. By kind and a moment that stays the same in the
 * statement (`clock_timestamp()` does not), so that it is looked up in an index: these are few of
 * millions, and each payment that is prepared under a policy waits for them.
 */
export const PREPARED_LATELY = sql`${IS_ANY_KIND}
  AND m.created_at > statement_timestamp() - interval '24 hours'`;

/** The names are those of our own table, never a text from outside. */
function isOneOf(fits: (facts: KindFacts) => boolean): ReturnType<typeof sql> {
  return literal(
    `m.kind IN (${kindsWhere(fits)
      .map((name) => `'${name}'`)
      .join(', ')})`,
  );
}
