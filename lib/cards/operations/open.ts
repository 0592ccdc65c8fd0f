import 'server-only';
import { assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { inOne, sql } from '#lib/runtime/db.ts';
import type { Row } from '#lib/runtime/db.ts';
import { toDecimal } from '#lib/values/money.ts';
import type { CardOperationKind } from '#lib/movements/kinds.ts';
import { operationOf } from './operation.ts';
import type { Operation } from './operation.ts';

/** While an operation of a payment is in one of these, no other one of it can begin. */
export const OPEN_STATES = [
  'AWAITING_APPROVAL',
  'APPROVED',
  'SUBMITTING',
  'UNKNOWN',
  'PENDING',
  'MANUAL_REVIEW',
] as const;
export type OpenState = (typeof OPEN_STATES)[number];

/**
 * The open operation of a payment; there is one at most (`movements_card_open`). The amount is
 * decimal text.
 */
export type OpenOperation = {
  operation: Operation;
  state: OpenState;
  amount: string;
  currency: string;
};

/** The open operations of these payments, by payment id. */
export async function openOperations(
  actor: Person,
  paymentIds: readonly string[],
): Promise<Map<string, OpenOperation>> {
  assertMay(actor, 'card.read');
  const rows = await inOne<
    Row<
      'movements',
      'card_payment_id' | 'kind' | 'state' | 'amount_minor' | 'currency',
      { card_payment_id: string; kind: CardOperationKind; state: OpenState }
    >
  >(
    actor.merchantId,
    sql`
    SELECT card_payment_id, kind, state, amount_minor, currency FROM movements
      WHERE card_payment_id = ANY(${[...paymentIds]}::uuid[])
      AND state = ANY(${[...OPEN_STATES]}::text[])`,
  );
  return new Map(
    rows.map((row) => [
      row.card_payment_id,
      {
        operation: operationOf(row.kind),
        state: row.state,
        amount: toDecimal(row.amount_minor),
        currency: row.currency,
      },
    ]),
  );
}
