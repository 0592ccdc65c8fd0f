import 'server-only';
import { kept, sql } from '#lib/runtime/db.ts';
import type { Prisma, Tx } from '#lib/runtime/db.ts';
import { enqueueAudit } from '#lib/audit/append.ts';
import type { Actor } from '#lib/access/actor.ts';
import { noteEvidence } from '#lib/runtime/trace.ts';
import { storable } from '#lib/runtime/stored-text.ts';
import type { Queue } from './claim-rules.ts';
import { capabilitiesOf } from './kinds.ts';
import { changedVisibly, applyEvidence } from './apply-evidence.ts';
import type { Evidence, Movement } from './state.ts';
import type { MovementRow } from './row.ts';
import { publishSql, WAKE_WORKERS } from '#lib/live/publish.ts';
import type { Change } from '#lib/live/publish.ts';

const RAW_MAX_CHARACTERS = 64 * 1024;
/**
 * The maximum stored length of a response to a check that changed nothing visible: there are many
 * such checks, and this much can explain a failure.
 */
const RAW_IDLE_MAX_CHARACTERS = 2 * 1024;

/**
 * An expedited check. `hintAt`: the time for which it was expedited. `quiet`: the check follows so
 * soon that open pages need no message before it.
 */
type Expedited = { hintAt?: number | null; quiet?: boolean };

/**
 * Writes one piece of evidence and its effects in the caller's transaction: the row (`queueAfter`
 * gives the queue columns), the append-only evidence, the audit entry when a visible field changed,
 * and the live message to open pages. The caller holds the row's lock.
 */
export async function record(
  tx: Tx,
  actor: Actor,
  before: MovementRow,
  evidence: Evidence,
  at: number,
  queueAfter: (after: Movement) => Queue & Expedited,
): Promise<MovementRow> {
  const applied = applyEvidence(before, evidence, at);
  const after: MovementRow = { ...applied, reasonText: storable(applied.reasonText) };
  const queue = queueAfter(after);
  const seen = changedVisibly(before, after);
  const entry = seen
    ? enqueueAudit(actor, `movement.${evidence.kind}`, `movement:${before.id}`, {
        from: before.state,
        to: after.state,
        returned: after.returned,
        alert: after.alert,
        extId: before.extId,
        contentHash: before.contentHash,
      })
    : sql`NULL`;
  const change: Change = before.card
    ? { kind: 'card', id: before.card.paymentId }
    : { kind: 'movement', id: before.id };
  const written = await tx.$executeRaw(
    kept(sql`
    WITH moved AS (
      UPDATE movements SET state = ${after.state}, returned = ${after.returned},
        alert = ${after.alert},
        ever_ambiguous = ${after.everAmbiguous},
          unclear_since = coalesce(unclear_since, ${date(after.unclearSince)}),
          duplicate_seen = ${after.duplicateSeen}, return_hinted = ${after.returnHinted},
        sends = ${after.sends}, iban_waits = ${after.ibanWaits},
          not_sent_tries = ${after.notSentTries}, not_found_reads = ${after.notFoundReads},
        last_send_at = ${date(after.lastSendAt)}, last_read_at = ${date(after.lastReadAt)},
          watch_since = ${date(after.watchSince)},
        state_since = ${date(after.stateSince)}, accepted_at = ${date(after.acceptedAt)},
          ended_at = ${date(after.endedAt)}, returned_at = ${date(after.returnedAt)},
        request_id = ${after.requestId}, transaction_id = ${after.transactionId},
          fee_minor = ${after.feeMinor},
        reason_code = ${after.reasonCode}, reason_text = ${after.reasonText},
          ledger_seen_at = ${date(after.ledgerSeenAt)},
        next_at = ${date(queue.nextAt)}, lease_until = ${date(queue.lease?.until ?? null)},
          lease_token = ${queue.lease?.token ?? null}::uuid,
          last_hint_at = ${date(queue.hintAt ?? before.lastHintAt)}
      WHERE id = ${before.id}::uuid RETURNING id),
    observed AS (
      INSERT INTO evidence (merchant_id, movement_id, source, kind, detail, raw, state_before,
        state_after, at)
      VALUES (${actor.merchantId}::uuid, ${before.id}::uuid, ${evidence.source}, ${evidence.kind},
        ${detailOf(evidence)}::jsonb,
        ${rawOf(evidence, seen)}, ${before.state}, ${after.state}, ${date(at)}) RETURNING id),
    followed AS (${followUp(actor.merchantId, before, after)})
    SELECT (SELECT ${WAKE_WORKERS} FROM followed WHERE is_due),
      ${queue.quiet && !seen ? sql`NULL` : publishSql(actor, change)},
      ${entry} FROM moved, observed`),
  );
  if (written !== 1) throw new Error('a movement that is locked cannot be written');
  noteEvidence(before, `movement.${evidence.kind}`, { state: before.state, to: after.state });
  return after;
}

/**
 * The statement that schedules the work which a change of the movement causes elsewhere: the read of
 * its payment, or its receipt, which is fetched once the ledger's entry is known. Its row says
 * whether workers have something to do at once.
 */
function followUp(merchantId: string, before: MovementRow, after: Movement): Prisma.Sql {
  if (before.card !== null) return expeditePaymentRead(before, after);
  const isListed = before.ledgerSeenAt === null && after.ledgerSeenAt !== null;
  const isCompleted = before.state !== 'COMPLETED' && after.state === 'COMPLETED';
  if (isCompleted && capabilitiesOf(before.kind).keepsLedger)
    return sql`INSERT INTO receipts (merchant_id, movement_id, state, next_at)
      VALUES (${merchantId}::uuid, ${before.id}::uuid, 'WAITING',
        CASE WHEN ${isListed}::boolean THEN clock_timestamp() END)
      ON CONFLICT (movement_id) DO UPDATE SET next_at = excluded.next_at
      WHERE receipts.state = 'WAITING' AND excluded.next_at IS NOT NULL
      RETURNING next_at IS NOT NULL AS is_due`;
  return isListed
    ? sql`UPDATE receipts SET next_at = clock_timestamp()
      WHERE movement_id = ${before.id}::uuid AND state = 'WAITING' RETURNING TRUE AS is_due`
    : NOTHING_FOLLOWS;
}

const NOTHING_FOLLOWS = sql`SELECT FALSE AS is_due`;

/**
 * Expedites the read of the payment's record after a card operation that was or may have been
 * executed, so that the payment's page is current.
 */
function expeditePaymentRead({ card, state }: MovementRow, after: Movement): Prisma.Sql {
  if (card === null || after.state === state || after.sends === 0 || after.state === 'SUBMITTING')
    return NOTHING_FOLLOWS;
  return sql`UPDATE card_payments SET next_at = clock_timestamp(), tries = 0
    WHERE id = ${card.paymentId}::uuid RETURNING TRUE AS is_due`;
}

export function date(ms: number | null): Date | null {
  return ms === null ? null : new Date(ms);
}

/**
 * A piece of evidence as stored, without the raw body; amounts as decimal digits of minor units.
 */
function detailOf(evidence: Evidence): string {
  const detail =
    'outcome' in evidence
      ? { ...evidence.outcome, raw: undefined, late: evidence.late }
      : 'hint' in evidence
        ? { hint: evidence.hint }
        : 'statement' in evidence
          ? evidence.statement
          : {};
  return JSON.stringify(detail, (_key, value: unknown) =>
    typeof value === 'bigint'
      ? value.toString()
      : typeof value === 'string'
        ? storable(value)
        : value,
  );
}

function rawOf(evidence: Evidence, seen: boolean): string | null {
  const raw = 'outcome' in evidence ? evidence.outcome.raw : null;
  const most = seen || evidence.source === 'answer' ? RAW_MAX_CHARACTERS : RAW_IDLE_MAX_CHARACTERS;
  return raw === null ? null : storable(raw.slice(0, most));
}
