import 'server-only';
import { Refusal } from '#lib/access/refusal.ts';
import { MOVEMENT } from '#lib/movements/row.ts';
import type { RawMovement } from '#lib/movements/row.ts';
import { isDead, SAYS_UNPAID } from '#lib/movements/state.ts';
import type { Movement, State } from '#lib/movements/state.ts';
import { blocking } from '#lib/payouts/rules.ts';
import { submitPayout } from '#lib/payouts/submit.ts';
import { inTransaction } from '#lib/runtime/db.ts';
import type { Tx } from '#lib/runtime/db.ts';
import { mayBeLost } from '#lib/send-control/recovery/compare-journal.ts';
import type { OlderThan } from '#lib/send-control/recovery/compare-journal.ts';
import { OLDER_THAN } from '#lib/send-control/recovery/may-have-left.ts';
import { toDecimal } from '#lib/values/money.ts';
import { UUID } from '#lib/values/uuid.ts';
import { assertCallerMayUse, assertKeyWorks } from '../keys/authenticate.ts';
import type { Caller } from '../keys/authenticate.ts';
import { findingsOf, formOf } from './form.ts';
import { keepAnswer, takeIntent } from './intents.ts';
import { ApiRefusal } from './problem.ts';
import type { Begun } from './begun.ts';
import type { PayoutAnswer, PayoutBody } from './schema.ts';

const STATUS: Readonly<Record<State, PayoutAnswer['status']>> = {
  DRAFT: 'awaiting_approval',
  AWAITING_APPROVAL: 'awaiting_approval',
  APPROVED: 'approved',
  SUBMITTING: 'sending',
  PENDING: 'pending',
  UNKNOWN: 'unknown',
  MANUAL_REVIEW: 'manual_review',
  COMPLETED: 'completed',
  REJECTED: 'rejected',
  FAILED: 'failed',
  CANCELLED: 'cancelled',
  EXPIRED: 'expired',
};
/**
 * The status that a program reads. `isUnproven`: a record contradicts that a payout was not paid, or
 * that it came back, or a restore may have lost a send of it. It may have been paid then: "not paid"
 * would let the program pay it again.
 */
export function statusOf({
  state,
  returned,
  isUnproven,
}: Pick<Movement, 'state' | 'returned'> & { isUnproven: boolean }): PayoutAnswer['status'] {
  const saysUnpaid = SAYS_UNPAID.includes(state) || isDead({ state, returned, alert: null });
  return isUnproven && saysUnpaid ? 'unknown' : STATUS[state];
}

export const RETURNED = { NONE: 'none', REPORTED: 'reported', CONFIRMED: 'confirmed' } as const;

/**
 * Prepares a payout as the form does: the same rules, limits and approvals, with the key's person
 * as its maker. A repetition with the same Idempotency-Key gets the same answer and pays nothing.
 *
 * @throws Refusal key_wallet, key_revoked, idempotency_reused, body_invalid, payout_blocked,
 * reason_needed, and those of `submitPayout`
 */
export async function beginPayout(
  caller: Caller,
  idempotencyKey: string,
  body: PayoutBody,
): Promise<Begun> {
  assertCallerMayUse(caller, body.wallet);
  const intent = await takeIntent(caller, { kind: 'payout', idempotencyKey, body });
  if (intent.answer !== null) return { answer: intent.answer, isRepeated: true };
  const read = formOf(body, intent.subjectId);
  if ('errors' in read) throw new ApiRefusal('body_invalid', { errors: read.errors });
  const result = await submitPayout(caller.person, read.form, {
    locale: 'en',
    retryOf: null,
    inTx: (tx) => assertKeyWorks(tx, caller),
  });
  if (result.kind === 'findings') {
    const findings = findingsOf(result.findings, read.form.overrides);
    const isBlocked = blocking(result.findings).length > 0;
    throw new ApiRefusal(isBlocked ? 'payout_blocked' : 'reason_needed', { findings });
  }
  const payout = await readPayout(caller, intent.subjectId);
  return { answer: await keepAnswer(caller, intent, payout), isRepeated: false };
}

/**
 * A payout that a program began, as it is now. People's own payouts are no program's business.
 *
 * @throws Refusal not_found
 */
export async function readPayout(caller: Caller, id: string): Promise<PayoutAnswer> {
  if (!UUID.test(id)) throw new Refusal('not_found');
  const found = await inTransaction(caller.person.merchantId, (tx) => findPayout(tx, caller, id));
  if (found === null) throw new Refusal('not_found');
  return found;
}

async function findPayout(tx: Tx, { key }: Caller, id: string): Promise<PayoutAnswer | null> {
  const [row] = await tx.$queryRaw<(RawMovement & { older_than: OlderThan })[]>`
    SELECT ${MOVEMENT.of('m')}, ${OLDER_THAN} FROM movements m WHERE id = ${id}::uuid
      AND (${key.wallet}::text IS NULL OR wallet = ${key.wallet})
      AND (EXISTS (SELECT FROM api_intents i WHERE i.subject_id = m.id)
        OR EXISTS (SELECT FROM batch_rows w JOIN api_intents i ON i.subject_id = w.batch_id
          WHERE w.movement_id = m.id))`;
  return row === undefined ? null : payoutOf(row);
}

function payoutOf(row: RawMovement & { older_than: OlderThan }): PayoutAnswer {
  const mayHaveLeft = SAYS_UNPAID.includes(row.state) && mayBeLost(row.older_than);
  return {
    object: 'payout',
    id: row.id,
    status: statusOf({ ...row, isUnproven: mayHaveLeft || row.alert === 'contradiction' }),
    returned: RETURNED[row.returned],
    wallet: row.wallet,
    iban: row.iban,
    name: row.name,
    tax_number: row.tax_number,
    amount: toDecimal(row.amount_minor),
    currency: row.currency,
    payment_type: row.payment_type,
    description: row.description,
    reference: row.ext_id,
    fee: row.fee_minor === null ? null : toDecimal(row.fee_minor),
    reason:
      row.reason_code === null ? null : { code: row.reason_code, text: row.reason_text ?? '' },
    approvals_needed: row.approvals_needed,
    created_at: row.created_at.toISOString(),
    ended_at: row.ended_at?.toISOString() ?? null,
  };
}
