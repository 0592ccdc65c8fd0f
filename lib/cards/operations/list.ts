import 'server-only';
import { may, assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { HELD_COLUMNS, heldOf } from '#lib/begin-check/confirmed.ts';
import type { HeldColumns } from '#lib/begin-check/confirmed.ts';
import { columns, inTransaction } from '#lib/runtime/db.ts';
import type { RowOf, Tx } from '#lib/runtime/db.ts';
import { env } from '#lib/runtime/env.ts';
import { toDecimal } from '#lib/values/money.ts';
import { canBeAsked } from '#lib/movements/claim-rules.ts';
import { CLOSE_EVIDENCE, lookSays } from '#lib/movements/closable.ts';
import { closeQuestion } from '#lib/movements/close-question.ts';
import { closingOf } from '#lib/movements/closing.ts';
import type { Closing } from '#lib/movements/closing.ts';
import type { CardOperationKind } from '#lib/movements/kinds.ts';
import { mayBeCancelled, SAYS_UNPAID } from '#lib/movements/state.ts';
import type { Alert, State } from '#lib/movements/state.ts';
import { secondPersonViews } from '#lib/second-person/view.ts';
import type { SecondPersonView } from '#lib/second-person/view-model.ts';
import { mayBeLost } from '#lib/send-control/recovery/compare-journal.ts';
import type { OlderThan } from '#lib/send-control/recovery/compare-journal.ts';
import { OLDER_THAN } from '#lib/send-control/recovery/may-have-left.ts';
import { UUID } from '#lib/values/uuid.ts';
import { operationOf, OPERATION_STOPS } from './operation.ts';
import type { Operation } from './operation.ts';

const ROWS_MAX = 100;

/** One capture, void or refund as a page shows it. Amounts are decimal text, times ISO. */
export type CardOperation = {
  id: string;
  operation: Operation;
  amount: string;
  currency: string;
  state: State;
  alert: Alert | null;
  /** Who acknowledged the alert, and the outcome that they noted. */
  alertSeen: { by: string; at: string; reason: string } | null;
  /** Our own number of this operation; the gateway identifies a refund by this number. */
  extId: string;
  maker: string;
  /** The person's stated reason; empty for a capture. */
  reason: string;
  createdAt: string;
  stateSince: string;
  /**
   * When the operation's one request was sent, or may have been sent. Null before that, and
   * permanently when the check before the send stopped it.
   */
  lastSendAt: string | null;
  endedAt: string | null;
  /** When the gateway is polled next; null when it is not. */
  nextLookAt: string | null;
  /** Valid responses in a row since the send that do not show the operation as carried out. */
  notFoundReads: number;
  notSentTries: number;
  /**
   * The stored data say that the operation was not sent, but it is older than a recovery: it waits
   * for a person's "send it", or the restored database may have lost the record of a send. No text
   * of the page then says "nothing was sent".
   */
  isUnproven: boolean;
  /** The gateway's code, or our own short name, of why it ended without being carried out. */
  reasonCode: string | null;
  reasonText: string | null;
  can: { ask: boolean; cancel: boolean; acknowledge: boolean };
  /**
   * How people may close it; null while it is still handled automatically, and for people without
   * the permission.
   */
  closing: Closing | null;
  /** People's statements about its outcome; null when there are none. */
  statements: SecondPersonView | null;
};

/** The operations of this payment that were started here, oldest first. */
export async function operationsOf(actor: Person, paymentId: string): Promise<CardOperation[]> {
  assertMay(actor, 'card.read');
  if (!UUID.test(paymentId)) return [];
  const rows = await inTransaction(actor.merchantId, (tx) => readOperations(tx, paymentId));
  const statements = await secondPersonViews(
    actor,
    'movement',
    new Map(
      rows
        .filter((row) => row.sends > 0)
        .map((row) => [row.id, closeQuestion(questioned(row)).boundTo]),
    ),
  );
  return rows.map((row) => ({
    id: row.id,
    operation: operationOf(row.kind),
    amount: toDecimal(row.amount_minor),
    currency: row.currency,
    state: row.state,
    alert: row.alert,
    extId: row.ext_id,
    maker: row.maker,
    reason: row.description,
    createdAt: row.created_at.toISOString(),
    stateSince: row.state_since.toISOString(),
    lastSendAt: mayHaveLeft(row) ? (row.last_send_at?.toISOString() ?? null) : null,
    endedAt: row.ended_at?.toISOString() ?? null,
    nextLookAt: row.next_at?.toISOString() ?? null,
    notFoundReads: row.not_found_reads,
    notSentTries: row.not_sent_tries,
    isUnproven: (SAYS_UNPAID.includes(row.state) && mayBeLost(row.older_than)) || isHeld(row),
    reasonCode: row.reason_code,
    reasonText: row.reason_text,
    can: {
      ask: may(actor.role, 'movement.ask') && canBeAsked(row, false) && row.ended_at === null,
      cancel: may(actor.role, 'payout.cancel') && mayBeCancelled(row.state),
      acknowledge:
        may(actor.role, 'alert.acknowledge') && row.alert !== null && row.alert_seen_at === null,
    },
    closing: closing(actor, row),
    statements: soleStatement(row) ?? statements.get(row.id) ?? null,
    alertSeen: row.alert_seen_at && {
      by: row.seer ?? '',
      at: row.alert_seen_at.toISOString(),
      reason: row.alert_seen_reason ?? '',
    },
  }));
}

async function readOperations(tx: Tx, paymentId: string): Promise<StoredOperation[]> {
  return tx.$queryRaw<StoredOperation[]>`
    SELECT ${OPERATION.of('m')}, p.name AS maker, look.kind AS look_kind, look.why AS look_why,
      look.level AS look_level, look.at AS look_at, alone.name AS alone_by,
      alone.reason AS alone_reason, alone.at AS alone_at, seer.name AS seer, clock_timestamp() AS now,
      ${HELD_COLUMNS}, ${OLDER_THAN}
    FROM movements m JOIN people p ON p.id = m.maker_id
      LEFT JOIN people seer ON seer.id = m.alert_seen_by
      LEFT JOIN LATERAL (SELECT e.detail ->> 'kind' AS kind, e.detail ->> 'why' AS why,
        e.detail ->> 'level' AS level, e.at FROM evidence e WHERE e.movement_id = m.id
        AND e.source = 'read' AND e.detail ->> 'late' IS NULL ORDER BY e.id DESC LIMIT 1) look ON true
      LEFT JOIN LATERAL (SELECT closer.name, e.detail ->> 'reason' AS reason, e.at FROM evidence e
        JOIN people closer ON closer.id::text = e.detail ->> 'by' WHERE e.movement_id = m.id
        AND e.source = 'person' AND e.kind = ${CLOSE_EVIDENCE.not_done} ORDER BY e.id DESC
        LIMIT 1) alone ON true
    WHERE m.card_payment_id = ${paymentId}::uuid ORDER BY m.created_at, m.id LIMIT ${ROWS_MAX}`;
}

const OPERATION = columns('movements', [
  'id',
  'kind',
  'amount_minor',
  'currency',
  'state',
  'alert',
  'ext_id',
  'description',
  'created_at',
  'state_since',
  'last_send_at',
  'ended_at',
  'next_at',
  'not_found_reads',
  'not_sent_tries',
  'sends',
  'maker_id',
  'content_hash',
  'accepted_at',
  'unclear_since',
  'reason_code',
  'reason_text',
  'alert_seen_at',
  'alert_seen_reason',
]);

type StoredOperation = RowOf<
  typeof OPERATION,
  { kind: CardOperationKind; state: State; alert: Alert | null }
> &
  HeldColumns & {
    older_than: OlderThan;
    maker: string;
    look_kind: string | null;
    look_why: string | null;
    look_level: string | null;
    look_at: Date | null;
    alone_by: string | null;
    alone_reason: string | null;
    alone_at: Date | null;
    seer: string | null;
    now: Date;
  };

function isHeld(row: StoredOperation): boolean {
  return (
    row.state === 'APPROVED' && heldOf(row, row.created_at.getTime(), row.now.getTime()) !== null
  );
}

/**
 * Whether a request of the operation may have been sent: `sends` counts every attempt, and
 * `notSent` those of them that provably sent nothing.
 */
function mayHaveLeft({
  sends,
  not_sent_tries: notSent,
  reason_code: reason,
}: StoredOperation): boolean {
  return sends > notSent && !OPERATION_STOPS.some((stop) => stop === reason);
}

function questioned({
  id,
  content_hash: contentHash,
  state,
  sends,
  maker_id: makerId,
}: StoredOperation): Parameters<typeof closeQuestion>[0] {
  return { id, contentHash, state, sends, makerId };
}

/**
 * The statement of the one person who alone stated that an authorization is unchanged; it is kept
 * with the evidence. Null when nobody did.
 */
function soleStatement({
  alone_by: by,
  alone_reason: reason,
  alone_at: at,
}: StoredOperation): SecondPersonView | null {
  if (by === null || at === null) return null;
  const closedAt = at.toISOString();
  return {
    closedAt,
    outcome: 'not_done',
    standing: 'agreed',
    own: false,
    words: [
      { by, claim: 'not_done', reason: reason ?? '', reference: null, at: closedAt, counts: true },
    ],
  };
}

function closing(actor: Person, row: StoredOperation): Closing | null {
  if (!may(actor.role, row.kind === 'card_refund' ? 'card.refund' : 'card.capture')) return null;
  const time = (at: Date | null): number | null => at?.getTime() ?? null;
  const movement = {
    kind: row.kind,
    state: row.state,
    alert: row.alert,
    lastSendAt: time(row.last_send_at),
    acceptedAt: time(row.accepted_at),
    stateSince: row.state_since.getTime(),
    unclearSince: time(row.unclear_since),
    notFoundReads: row.not_found_reads,
  };
  const next =
    row.look_at === null
      ? null
      : {
          says: lookSays(row.kind, {
            kind: row.look_kind ?? '',
            why: row.look_why,
            level: row.look_level,
          }),
          at: row.look_at.getTime(),
        };
  return closingOf(
    movement,
    next,
    { makerId: row.maker_id, personId: actor.personId },
    row.now.getTime(),
    env().resendQuietSeconds * 1_000,
  );
}
