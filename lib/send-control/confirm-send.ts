import 'server-only';
import { assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { audit } from '#lib/audit/append.ts';
import { columns, inTransaction } from '#lib/runtime/db.ts';
import type { RowOf, Tx } from '#lib/runtime/db.ts';
import { publish, wakeWorkers } from '#lib/live/publish.ts';
import { kindOf } from '#lib/movements/kinds.ts';
import { journalState } from './recovery/compare-journal.ts';
import type { JournalFacts } from './recovery/compare-journal.ts';
import type { NotChargedReason } from '#lib/cards/recurring/charge.ts';
import { Refusal } from '#lib/access/refusal.ts';
import { UUID } from '#lib/values/uuid.ts';
import { HELD_COLUMNS, heldOf, IS_HELD_CHARGE } from '#lib/begin-check/confirmed.ts';
import type { HeldColumns } from '#lib/begin-check/confirmed.ts';
import { mayConfirm } from '#lib/begin-check/held.ts';

/**
 * A person confirms the send of one row that waits since a recovery: a movement or a plan charge.
 * It is sent as soon as sending is on. A card-balance payout needs a person other than its maker.
 *
 * @throws Refusal not_allowed, not_found, send_not_held, second_person_needed
 */
export async function confirmSend(actor: Person, id: string): Promise<void> {
  assertMay(actor, 'sending.control');
  if (!UUID.test(id)) throw new Refusal('not_found');
  await inTransaction(actor.merchantId, async (tx) => {
    if (!(await confirmMovement(tx, actor, id)) && !(await confirmCharge(tx, actor, id)))
      throw new Refusal('not_found');
    await wakeWorkers(tx);
  });
}

/**
 * A person calls off a plan charge that waits since a recovery; it will not be sent.
 * `called_off_unproven`: our journal cannot rule out that it was sent before.
 *
 * @throws Refusal not_allowed, not_found, send_not_held, cancel_not_compared
 */
export async function cancelHeldCharge(actor: Person, id: string): Promise<CalledOff> {
  assertMay(actor, 'sending.control');
  if (!UUID.test(id)) throw new Refusal('not_found');
  return inTransaction(actor.merchantId, async (tx) => {
    const charge = await lockHeldCharge(tx, id);
    if (charge === null) throw new Refusal('not_found');
    const reason = await calledOffAs(tx, id);
    await tx.$executeRaw`UPDATE plan_charges SET state = 'NOT_CHARGED', reason = ${reason},
      ended_at = clock_timestamp() WHERE id = ${id}::uuid`;
    await audit(tx, actor, 'card.plan_charge_ended', `plan:${charge.plan_id}`, {
      charge: id,
      to: 'NOT_CHARGED',
      reason,
    });
    await publish(tx, actor, { kind: 'card', id: charge.plan_id });
    return reason;
  });
}

type CalledOff = Extract<NotChargedReason, 'cancelled' | 'called_off_unproven'>;

/**
 * The gateway has no list, so only our own journal can show what was sent before a restore.
 *
 * @throws Refusal cancel_not_compared
 */
async function calledOffAs(tx: Tx, id: string): Promise<CalledOff> {
  const recoveries = await tx.$queryRaw<{ journal: JournalFacts | null; open: boolean }[]>`
    SELECT r.journal, r.ended_at IS NULL AS open FROM recoveries r
      WHERE r.began_at > (SELECT c.asked_at FROM plan_charges c WHERE c.id = ${id}::uuid)`;
  if (recoveries.some(({ journal, open }) => open && journal === null))
    throw new Refusal('cancel_not_compared');
  return recoveries.every(({ journal }) => journalState(journal) === 'complete')
    ? 'cancelled'
    : 'called_off_unproven';
}

const MOVEMENT = columns('movements', [
  'state',
  'kind',
  'ext_id',
  'amount_minor',
  'currency',
  'maker_id',
  'card_payment_id',
  'created_at',
]);

async function confirmMovement(tx: Tx, actor: Person, id: string): Promise<boolean> {
  // A separate statement for the lock: a statement that waits for the lock does not see what was
  // committed in other tables meanwhile.
  await tx.$queryRaw`SELECT 1 FROM movements WHERE id = ${id}::uuid FOR UPDATE`;
  const [row] = await tx.$queryRaw<(HeldColumns & RowOf<typeof MOVEMENT> & { now: Date })[]>`
    SELECT ${MOVEMENT.of('m')}, clock_timestamp() AS now, ${HELD_COLUMNS}
    FROM movements m WHERE m.id = ${id}::uuid`;
  if (!row) return false;
  if (row.state !== 'APPROVED' || heldOf(row, row.created_at.getTime(), row.now.getTime()) === null)
    throw new Refusal('send_not_held');
  if (
    !mayConfirm(
      { needsOther: kindOf(row.kind).needsOtherAfterRestore, makerId: row.maker_id },
      actor.personId,
    )
  )
    throw new Refusal('second_person_needed');
  await tx.$executeRaw`INSERT INTO send_confirmations (merchant_id, movement_id, confirmed_by)
    VALUES (${actor.merchantId}::uuid, ${id}::uuid, ${actor.personId}::uuid)`;
  await tx.$executeRaw`UPDATE movements SET next_at = clock_timestamp() WHERE id = ${id}::uuid`;
  await audit(tx, actor, 'sending.send_confirmed', `movement:${id}`, {
    kind: row.kind,
    extId: row.ext_id,
    amount: row.amount_minor.toString(),
    currency: row.currency,
  });
  await publish(
    tx,
    actor,
    row.card_payment_id === null
      ? { kind: 'movement', id }
      : { kind: 'card', id: row.card_payment_id },
  );
  return true;
}

async function confirmCharge(tx: Tx, actor: Person, id: string): Promise<boolean> {
  const charge = await lockHeldCharge(tx, id);
  if (charge === null) return false;
  await tx.$executeRaw`INSERT INTO send_confirmations (merchant_id, plan_charge_id, confirmed_by)
    VALUES (${actor.merchantId}::uuid, ${id}::uuid, ${actor.personId}::uuid)`;
  await audit(tx, actor, 'sending.send_confirmed', `plan:${charge.plan_id}`, {
    charge: id,
    amount: charge.amount_minor.toString(),
    currency: charge.currency,
  });
  await publish(tx, actor, { kind: 'card', id: charge.plan_id });
  return true;
}

const CHARGE = columns('plan_charges', ['plan_id', 'amount_minor', 'currency']);
type HeldCharge = RowOf<typeof CHARGE>;

/** @throws Refusal send_not_held when the charge exists and does not wait for confirmation */
async function lockHeldCharge(tx: Tx, id: string): Promise<HeldCharge | null> {
  await tx.$queryRaw`SELECT 1 FROM plan_charges WHERE id = ${id}::uuid FOR UPDATE`;
  const [row] = await tx.$queryRaw<(HeldCharge & { held: boolean })[]>`
    SELECT ${CHARGE.of('c')}, ${IS_HELD_CHARGE} AS held FROM plan_charges c
      WHERE c.id = ${id}::uuid`;
  if (!row) return null;
  if (!row.held) throw new Refusal('send_not_held');
  return row;
}
