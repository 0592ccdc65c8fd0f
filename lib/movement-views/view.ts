import 'server-only';
import { may, mayNow, assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { checkIban, maskIban } from '#lib/values/iban.ts';
import { inOne, sql } from '#lib/runtime/db.ts';
import { env } from '#lib/runtime/env.ts';
import { toDecimal } from '#lib/values/money.ts';
import { IS_BATCH_HELD_M } from '#lib/movements/batch-hold.ts';
import { canBeAsked } from '#lib/movements/claim-rules.ts';
import { closeQuestion } from '#lib/movements/close-question.ts';
import { closingOf } from '#lib/movements/closing.ts';
import type { Closing } from '#lib/movements/closing.ts';
import { maskWallet } from '#lib/values/mask-wallet.ts';
import { capabilitiesOf } from '#lib/movements/kinds.ts';
import { fromRaw, MOVEMENT } from '#lib/movements/row.ts';
import type { MovementRow, RawMovement } from '#lib/movements/row.ts';
import { IS_NAMED_BY_RECOVERY } from '#lib/movements/restored.ts';
import { PEOPLE_SAID } from '#lib/movements/reduce.ts';
import { isDead, SAYS_UNPAID } from '#lib/movements/state.ts';
import { HELD_COLUMNS, heldOf } from '#lib/begin-check/confirmed.ts';
import { isRestored } from '#lib/begin-check/held.ts';
import type { HeldColumns } from '#lib/begin-check/confirmed.ts';
import { secondPersonViews } from '#lib/second-person/view.ts';
import type { SecondPersonView } from '#lib/second-person/view-model.ts';
import { mayBeLost } from '#lib/send-control/recovery/compare-journal.ts';
import type { OlderThan } from '#lib/send-control/recovery/compare-journal.ts';
import { OLDER_THAN } from '#lib/send-control/recovery/may-have-left.ts';
import { viewStop } from '#lib/send-control/view.ts';
import type { Stop } from '#lib/send-control/stops.ts';
import { maskTaxNumber } from '#lib/values/tax-number.ts';
import { readKeyText, shownKey } from '#lib/values/person-key.ts';
import type { Decided } from './decided.ts';
import { EVIDENCE, latestLook, observationsOf, rawAnswers, timeline } from './evidence.ts';
import type { EvidenceRow } from './evidence.ts';
import { viewDecided } from './read-decided.ts';
import type { MovementView } from './view-model.ts';

/**
 * One movement of any kind as a person may see it, with its timeline and its evidence by source.
 * Null when this merchant has none with that id. JSON-safe: amounts are decimal text, times ISO.
 */
export async function viewMovement(actor: Person, id: string): Promise<MovementView | null> {
  assertMay(actor, 'movement.read');
  // Two separate reads are safe: a change after either of them is published to the open page.
  const [[raw], rows] = await Promise.all([
    inOne<RawMovement & Extra>(
      actor.merchantId,
      sql`
      SELECT ${MOVEMENT.of('m')}, p.name AS maker_name, seer.name AS seer, clock_timestamp() AS now,
        r.id AS receipt_id, r.state AS receipt_state, r.fetched_at AS receipt_at,
        (SELECT c.id FROM movements c WHERE c.retry_of = m.id
          AND c.state NOT IN ('CANCELLED', 'EXPIRED', 'REJECTED', 'FAILED') LIMIT 1) AS retried_by,
        (SELECT p.recipient_id FROM recipient_payees p
          WHERE p.number = coalesce(m.to_wallet, m.iban)) AS recipient_id,
        (SELECT jsonb_build_object('id', b.id, 'name', b.name, 'row', w.n) FROM batch_rows w
          JOIN batches b ON b.id = w.batch_id WHERE w.movement_id = m.id) AS batch,
        (SELECT k.name FROM api_intents i JOIN api_keys k ON k.id = i.api_key_id
          WHERE i.subject_id IN (m.id, (SELECT w.batch_id FROM batch_rows w
            WHERE w.movement_id = m.id))) AS api_key,
        (SELECT count(*)::int FROM notices n WHERE n.movement_id = m.id) AS notices, ${HELD_COLUMNS},
        ${IS_NAMED_BY_RECOVERY} AS named, ${OLDER_THAN},
        m.state = 'APPROVED' AND ${IS_BATCH_HELD_M} AS batch_held
      FROM movements m JOIN people p ON p.id = m.maker_id LEFT JOIN receipts r ON r.movement_id = m.id
        LEFT JOIN people seer ON seer.id = m.alert_seen_by WHERE m.id = ${id}::uuid`,
    ),
    inOne<EvidenceRow>(
      actor.merchantId,
      sql`
      SELECT ${EVIDENCE.of('e')}
        FROM evidence e WHERE e.movement_id = ${id}::uuid ORDER BY e.id`,
    ),
  ]);
  if (!raw) return null;
  const movement = fromRaw(raw);
  const [stop, statements, decided] = await Promise.all([
    raw.state === 'APPROVED' ? viewStop(actor, raw.kind) : null,
    mayHaveStatements(movement)
      ? secondPersonViews(actor, 'movement', new Map([[id, closeQuestion(movement).boundTo]]))
      : null,
    viewDecided(actor, id),
  ]);
  return toView(actor, raw, rows, { stop, statements: statements?.get(id) ?? null, decided });
}

type Extra = HeldColumns & {
  maker_name: string;
  seer: string | null;
  now: Date;
  receipt_id: string | null;
  receipt_state: 'WAITING' | 'READY' | 'FAILED';
  receipt_at: Date | null;
  retried_by: string | null;
  recipient_id: string | null;
  batch: MovementView['batch'];
  api_key: string | null;
  notices: number;
  named: boolean;
  older_than: OlderThan;
  batch_held: boolean;
};
/** Whether people may have stated an outcome: the movement was sent, and no record has ended it. */
function mayHaveStatements({ state, reasonCode }: MovementRow): boolean {
  return ['UNKNOWN', 'PENDING', 'MANUAL_REVIEW'].includes(state) || reasonCode === PEOPLE_SAID;
}

/**
 * Whether the next check queries the provider. The one check of an unknown card-balance payout does
 * not: it is made for the alert by age.
 */
function isAsked({ kind, state }: MovementRow): boolean {
  return capabilitiesOf(kind).answersQuestions || state !== 'UNKNOWN';
}

function closing(
  actor: Person,
  movement: MovementRow,
  rows: EvidenceRow[],
  now: Date,
): Closing | null {
  if (!may(actor.role, 'payout.prepare')) return null;
  return closingOf(
    movement,
    latestLook(movement, rows),
    { makerId: movement.makerId, personId: actor.personId },
    now.getTime(),
    env().resendQuietSeconds * 1_000,
  );
}

function toView(
  actor: Person,
  raw: RawMovement & Extra,
  rows: EvidenceRow[],
  {
    stop,
    statements,
    decided,
  }: { stop: Stop | null; statements: SecondPersonView | null; decided: Decided },
): MovementView {
  const movement = fromRaw(raw);
  const payee = payeeOf(actor, movement);
  return {
    id: movement.id,
    kind: raw.kind,
    cardPaymentId: movement.card?.paymentId ?? null,
    extId: movement.extId,
    state: movement.state,
    returned: movement.returned,
    alert: movement.alert,
    alertSeen: raw.alert_seen_at && {
      by: raw.seer ?? '',
      at: raw.alert_seen_at.toISOString(),
      reason: raw.alert_seen_reason ?? '',
    },
    amount: toDecimal(movement.amountMinor),
    currency: movement.currency,
    fee: movement.feeMinor === null ? null : toDecimal(movement.feeMinor),
    wallet: movement.wallet,
    ...payee,
    name: movement.name,
    paymentType: movement.paymentType,
    description: movement.description,
    overrides: raw.overrides,
    overrideReason: raw.override_reason,
    maker: raw.maker_name,
    ...progressOf(movement),
    now: raw.now.toISOString(),
    stop: stop && { cause: stop.cause, reason: stop.reason, by: stop.by, since: stop.since },
    isBatchHeld: raw.batch_held,
    waitsForPerson:
      movement.state === 'APPROVED' && heldOf(raw, movement.createdAt, raw.now.getTime()) !== null,
    mayHaveLeft: SAYS_UNPAID.includes(movement.state) && mayBeLost(raw.older_than),
    retryOf: raw.retry_of,
    retriedBy: raw.retried_by,
    recipientId: raw.recipient_id,
    batch: raw.batch,
    apiKey: raw.api_key,
    receipt:
      raw.receipt_id === null
        ? null
        : {
            id: raw.receipt_id,
            state: raw.receipt_state,
            at: raw.receipt_at?.toISOString() ?? null,
          },
    timeline: timeline(rows),
    observations: observationsOf(rows, raw.notices),
    raw: rawAnswers(rows, (text) =>
      masked(text, [
        [movement.toWallet ?? movement.iban, payee.payee],
        [movement.taxNumber, payee.taxNumber],
      ]),
    ),
    closing: closing(actor, movement, rows, raw.now),
    statements,
    decided,
    can: permissions(actor, movement, raw),
  };
}

/** The payee's numbers, masked for people who may not see them whole. */
function payeeOf(
  actor: Person,
  movement: MovementRow,
): Pick<MovementView, 'payee' | 'bankName' | 'taxNumber' | 'found' | 'phone'> {
  const whole = may(actor.role, 'payee.read');
  const number = movement.toWallet ?? movement.iban;
  const check = movement.toWallet === null ? checkIban(movement.iban) : null;
  const [payee, taxNumber] = whole
    ? [number, movement.taxNumber]
    : [
        movement.toWallet === null ? maskIban(number) : maskWallet(number),
        maskTaxNumber(movement.taxNumber),
      ];
  const key = readKeyText(movement.foundBy);
  return {
    payee,
    bankName: check?.kind === 'ok' ? check.bankName : null,
    taxNumber,
    found: key && { key: shownKey(key, whole), name: movement.foundName },
    phone: movement.phone === null ? null : shownPhone(movement.phone, whole),
  };
}

type Progress =
  | 'createdAt'
  | 'stateSince'
  | 'lastSendAt'
  | 'acceptedAt'
  | 'endedAt'
  | 'returnedAt'
  | 'requestId'
  | 'transactionId'
  | 'reasonCode'
  | 'reasonText'
  | 'ledgerSeenAt'
  | 'nextLookAt'
  | 'sends'
  | 'ibanWaits'
  | 'notSentTries';

function progressOf(movement: MovementRow): Pick<MovementView, Progress> {
  return {
    createdAt: iso(movement.createdAt)!,
    stateSince: iso(movement.stateSince)!,
    lastSendAt: iso(movement.lastSendAt),
    acceptedAt: iso(movement.acceptedAt),
    endedAt: iso(movement.endedAt),
    returnedAt: iso(movement.returnedAt),
    requestId: movement.requestId,
    transactionId: movement.transactionId,
    reasonCode: movement.reasonCode,
    reasonText: movement.reasonText,
    ledgerSeenAt: iso(movement.ledgerSeenAt),
    nextLookAt: iso(isAsked(movement) ? movement.nextAt : null),
    sends: movement.sends,
    ibanWaits: movement.ibanWaits,
    notSentTries: movement.notSentTries,
  };
}

function permissions(
  actor: Person,
  movement: MovementRow,
  raw: RawMovement & Extra,
): MovementView['can'] {
  const { role } = actor;
  const { answersQuestions } = capabilitiesOf(movement.kind);
  const isOlder = isRestored({
    createdAt: movement.createdAt,
    recoveryBeganAt: raw.recovery_began_at?.getTime() ?? null,
  });
  return {
    decide:
      movement.state === 'AWAITING_APPROVAL' &&
      mayNow(actor, 'movement.approve') &&
      movement.makerId !== actor.personId,
    ask: may(role, 'movement.ask') && canBeAsked(movement, isOlder) && answersQuestions,
    cancel:
      may(role, 'payout.cancel') &&
      ['DRAFT', 'AWAITING_APPROVAL', 'APPROVED'].includes(movement.state),
    payAgain:
      may(role, 'payout.prepare') &&
      isDead(movement) &&
      !raw.named &&
      raw.retried_by === null &&
      answersQuestions,
    acknowledge:
      may(role, 'alert.acknowledge') && movement.alert !== null && raw.alert_seen_at === null,
  };
}

/** A telephone number; only its last two digits for a person who may not see it whole. */
function shownPhone(phone: string, whole: boolean): string {
  return whole ? `+${phone}` : `+… ${phone.slice(-2)}`;
}

function masked(text: string, pairs: readonly (readonly [whole: string, shown: string])[]): string {
  return pairs.reduce(
    (so, [whole, shown]) => (whole === '' ? so : so.replaceAll(whole, shown)),
    text,
  );
}

function iso(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}
