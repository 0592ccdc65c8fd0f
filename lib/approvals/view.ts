import 'server-only';
import { assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { inTransaction } from '#lib/runtime/db.ts';
import type { Row } from '#lib/runtime/db.ts';
import type { Alert, Returned, State } from '#lib/movements/state.ts';
import type { KindName } from '#lib/movements/kinds.ts';
import { toDecimal } from '#lib/values/money.ts';
import { UUID } from '#lib/values/uuid.ts';
import { waitingMovements } from './list.ts';
import type { WaitingMovement } from './list.ts';

const HISTORY_MAX = 6;

export type PayeePayment = {
  id: string;
  kind: KindName;
  at: string;
  amount: string;
  currency: string;
  state: State;
  returned: Returned;
  alert: Alert | null;
  maker: string;
};

/** Null for a movement that does not wait, and for one that this merchant does not have. */
export async function viewWaiting(actor: Person, id: string): Promise<WaitingMovement | null> {
  if (!UUID.test(id)) return null;
  return (await waitingMovements(actor, { ids: [id] }))[0] ?? null;
}

/** The latest payments to the payee of a movement, without the movement itself. */
export async function lastPayments(actor: Person, id: string): Promise<PayeePayment[]> {
  assertMay(actor, 'movement.read');
  return inTransaction(actor.merchantId, async (tx) => {
    const rows = await tx.$queryRaw<FoundPayment[]>`
      SELECT m.id, m.kind, m.created_at, m.amount_minor, m.currency, m.state, m.returned, m.alert,
        p.name AS maker
      FROM movements w
        JOIN movements m ON m.id <> w.id AND m.iban = w.iban AND m.card_payment_id IS NULL
          AND m.to_wallet IS NOT DISTINCT FROM w.to_wallet
        JOIN people p ON p.id = m.maker_id
      WHERE w.id = ${id}::uuid AND w.card_payment_id IS NULL
      ORDER BY m.created_at DESC LIMIT ${HISTORY_MAX}`;
    return rows.map(({ created_at, amount_minor, ...row }) => ({
      ...row,
      at: created_at.toISOString(),
      amount: toDecimal(amount_minor),
    }));
  });
}

type FoundPayment = Row<
  'movements',
  'id' | 'kind' | 'created_at' | 'amount_minor' | 'currency' | 'state' | 'returned' | 'alert',
  { kind: KindName; state: State; returned: Returned; alert: Alert | null }
> & { maker: string };
