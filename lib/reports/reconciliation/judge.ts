import { LAG_MS } from '#lib/provider-records/policy.ts';
import type {
  Difference,
  Judged,
  Kind,
  Line,
  ListName,
  Ours,
  Paid,
  Reading,
  Request,
  Recorded,
} from './books.ts';
import { capabilitiesOf } from '#lib/movements/kinds.ts';
import { isSameIban } from '#lib/values/iban.ts';
import { BY_LEVEL, BY_LINE, lineStatus } from './tables.ts';
import type { Verdict } from './tables.ts';

/** Compares one movement of ours with every record that names it. Pure. */

/**
 * Our own polls of pending movements are a quarter of an hour apart, and an hour apart after a day:
 * the provider may be ahead for this long.
 */
export const BEHIND_MS = 60 * 60_000;
/** The tolerance between the provider's clock and ours. */
const SKEW_MS = 5 * 60_000;

export type Payment = {
  ours: Ours;
  requests: readonly Request[];
  debits: readonly Line[];
  credits: readonly Line[];
};

type Opinion = 'agree' | 'waits' | 'differs';
/**
 * States in which the provider must have a record, because it reported that it accepted the
 * payment.
 */
const ACCEPTED: readonly string[] = ['PENDING', 'MANUAL_REVIEW', 'COMPLETED'];

export function judgePayment(payment: Payment, reading: Reading): Judged {
  const { ours, requests, debits, credits } = payment;
  const first = Math.min(...[...requests, ...debits].map((record) => record.createdAt));
  const day = reading.dayOf(ours.sentAt ?? first);
  const opinions: [Kind, Opinion][] = [
    ['twice', isTwice(payment) ? 'differs' : 'agree'],
    ['state', stateOpinion(payment, reading)],
    ['missing_there', missingThere(payment, reading)],
    ['unknown_outcome', unknownOutcome(payment, reading)],
    [
      'amount',
      [...requests, ...debits].some((record) => record.amountMinor !== ours.amountMinor)
        ? 'differs'
        : 'agree',
    ],
    [
      'currency',
      [...requests, ...debits].some((record) => record.currency !== ours.currency)
        ? 'differs'
        : 'agree',
    ],
    ['payee', isElsewhere(payment) ? 'differs' : 'agree'],
    ['return_unseen', returnUnseen(payment, reading)],
    ['return_missing', returnMissing(payment, reading)],
  ];
  const differences = opinions
    .filter(([, opinion]) => opinion === 'differs')
    .map(([kind]): Difference => ({
      day,
      kind,
      reference: ours.extId,
      movementId: ours.id,
      requestId: requests[0]?.requestId ?? null,
      lineId: debits[0]?.id ?? credits[0]?.id ?? null,
      ours: ourWords(ours),
      theirs: theirWords(payment, kind),
    }));
  return {
    day,
    reference: ours.extId,
    differences,
    waits: opinions.some(([, opinion]) => opinion === 'waits'),
    paid: paidOf(ours, payment),
    counts: { movements: 1, requests: requests.length, lines: debits.length + credits.length },
    words: wordsOf(payment),
  };
}

/**
 * All compared values of a payment as one text, which does not depend on the order in which the
 * records were read.
 */
function wordsOf({ ours, requests, debits, credits }: Payment): string {
  const records = [
    ...requests.map(
      (one) => `request ${one.requestId} ${one.level} ${one.amountMinor} ${one.currency}`,
    ),
    ...[...debits, ...credits].map(
      (one) => `line ${one.id} ${one.statusId} ${one.direction} ${one.amountMinor} ${one.currency}`,
    ),
  ].sort();
  return [
    `${ours.extId} ${ours.state} ${ours.returned} ${ours.amountMinor} ${ours.currency}`,
    ...records,
  ].join('; ');
}

function isTwice({ requests, debits }: Payment): boolean {
  return (
    requests.filter(({ level }) => level === 'pending' || level === 'completed').length > 1 ||
    debits.filter(isPosted).length > 1
  );
}

/** Whether the record has another account or wallet than we sent to. */
function isElsewhere({ ours: { iban, toWallet }, requests, debits }: Payment): boolean {
  return (
    requests.some(
      (request) => iban !== null && request.iban !== null && !isSameIban(request.iban, iban),
    ) ||
    debits.some((line) => toWallet !== null && line.toWallet !== null && line.toWallet !== toWallet)
  );
}

function isPosted(line: Line): boolean {
  const status = lineStatus(line.statusId);
  return status === 'completed' || status === 'refunded';
}

function stateOpinion(payment: Payment, reading: Reading): Opinion {
  const { ours, requests, debits } = payment;
  return worst([
    ...requests.map((request) =>
      weigh(
        levelVerdict(ours, request),
        'withdrawals',
        request.createdAt,
        request.updatedAt ?? request.createdAt,
        ours,
        reading,
      ),
    ),
    ...debits.map((line) =>
      weigh(
        lineVerdict(payment, line),
        'ledger',
        line.createdAt,
        line.completedAt ?? line.createdAt,
        ours,
        reading,
      ),
    ),
  ]);
}

/**
 * A returned payout may be shown as not paid (unknown which `process_level_status` follows a
 * return).
 */
function levelVerdict(ours: Ours, { level }: Request): Verdict {
  const isBack =
    ours.state === 'COMPLETED' &&
    ours.returned !== 'NONE' &&
    (level === 'rejected' || level === 'failed');
  return isBack ? 'agree' : BY_LEVEL[ours.state][level];
}

/** A debit that was fully reversed by entries of its own counts as cancelled. */
function lineVerdict({ ours, credits }: Payment, line: Line): Verdict {
  const back = credits.reduce((sum, credit) => sum + credit.amountMinor, 0n);
  const status = lineStatus(line.statusId);
  return BY_LINE[ours.state][
    status === 'completed' && back >= line.amountMinor && ours.state !== 'COMPLETED'
      ? 'cancelled'
      : status
  ];
}

/**
 * Weighs a verdict by the age of its reading: a reading older than our last state change proves
 * nothing about that change, and our side has some time to follow the provider.
 */
function weigh(
  verdict: Verdict,
  list: ListName,
  recordAt: number,
  changedAt: number,
  ours: Ours,
  reading: Reading,
): Opinion {
  if (verdict === 'agree') return 'agree';
  const readAt = reading.readAt(list, recordAt, recordAt);
  if (readAt === null || ours.stateSince > readAt) return 'waits';
  return verdict === 'behind' && readAt - changedAt < BEHIND_MS ? 'waits' : 'differs';
}

/**
 * Our movement was accepted, or even paid, and the provider has no record of it although every
 * entry has had time to appear.
 */
function missingThere({ ours, requests, debits }: Payment, reading: Reading): Opinion {
  if (!ACCEPTED.includes(ours.state) || ours.sentAt === null) return 'agree';
  const accepted = ours.acceptedAt ?? ours.sentAt;
  const opinions: Opinion[] = [];
  if (hasRequest(ours) && requests.length === 0)
    opinions.push(absent('withdrawals', ours.sentAt, accepted, reading));
  // The ledger lists no open payouts; for a transfer it has the only record.
  if (debits.length === 0 && (ours.state === 'COMPLETED' || !hasRequest(ours)))
    opinions.push(absent('ledger', ours.sentAt, ours.endedAt ?? accepted, reading));
  return worst(opinions);
}

/**
 * Whether the provider lists a request of this kind of movement; for every other kind the ledger
 * has the only record.
 */
function hasRequest({ kind }: Payment['ours']): boolean {
  return capabilitiesOf(kind).record === 'request';
}

function unknownOutcome({ ours, requests, debits }: Payment, reading: Reading): Opinion {
  if (ours.state !== 'UNKNOWN' || ours.sentAt === null || requests.length + debits.length > 0)
    return 'agree';
  return absent(hasRequest(ours) ? 'withdrawals' : 'ledger', ours.sentAt, ours.stateSince, reading);
}

/**
 * The absence of a record is proven only by a reading of all days it could be on, made after the
 * latest time for it to be listed.
 */
function absent(list: ListName, from: number, to: number, reading: Reading): Opinion {
  const readAt = reading.readAt(list, from - SKEW_MS, to + SKEW_MS);
  return readAt === null || readAt < to + LAG_MS ? 'waits' : 'differs';
}

function returnUnseen(payment: Payment, reading: Reading): Opinion {
  const { ours, debits, credits } = payment;
  if (ours.state !== 'COMPLETED' || ours.returned === 'CONFIRMED' || !isReturned(payment))
    return 'agree';
  const at = Math.max(...[...credits, ...debits].map((line) => line.createdAt));
  return weigh('behind', 'ledger', at, at, ours, reading);
}

function returnMissing(payment: Payment, reading: Reading): Opinion {
  const { ours } = payment;
  if (ours.returned !== 'CONFIRMED' || isReturned(payment)) return 'agree';
  return absent(
    'ledger',
    ours.endedAt ?? ours.stateSince,
    ours.returnedAt ?? ours.stateSince,
    reading,
  );
}

function isReturned({ debits, credits }: Payment): boolean {
  return credits.length > 0 || debits.some((line) => lineStatus(line.statusId) === 'refunded');
}

/** What both sides have as paid, by currency. A request alone has moved nothing: the ledger counts. */
export function paidOf(
  ours: Ours | null,
  { debits, credits }: Pick<Payment, 'debits' | 'credits'>,
): Paid[] {
  const paid = ours?.state === 'COMPLETED' && ours.returned !== 'CONFIRMED' ? ours.amountMinor : 0n;
  const currencies = new Set([
    ...(ours === null ? [] : [ours.currency]),
    ...[...debits, ...credits].map((line) => line.currency),
  ]);
  return [...currencies].map((currency) => ({
    currency,
    ours: currency === ours?.currency ? paid : 0n,
    theirs: moneyGone(
      debits.filter((line) => line.currency === currency),
      credits.filter((line) => line.currency === currency),
    ),
  }));
}

/** The amount that left permanently, by the ledger. */
function moneyGone(debits: readonly Line[], credits: readonly Line[]): bigint {
  const gone = debits
    .filter((line) => lineStatus(line.statusId) === 'completed')
    .reduce((sum, line) => sum + line.amountMinor, 0n);
  const back = credits.reduce((sum, line) => sum + line.amountMinor, 0n);
  return gone > back ? gone - back : 0n;
}

function worst(opinions: readonly Opinion[]): Opinion {
  if (opinions.includes('differs')) return 'differs';
  return opinions.includes('waits') ? 'waits' : 'agree';
}

function ourWords({ state, returned, amountMinor, currency }: Ours): Recorded {
  return { state, returned, amount: amountMinor.toString(), currency };
}

function theirWords({ ours, requests, debits, credits }: Payment, kind: Kind): Recorded | null {
  const records = [...requests, ...debits];
  const record =
    records.find((one) => one.amountMinor !== ours.amountMinor || one.currency !== ours.currency) ??
    records[0] ??
    credits[0];
  if (record === undefined) return null;
  const request =
    requests.find(({ level }) => BY_LEVEL[ours.state][level] !== 'agree') ?? requests[0];
  return {
    amount: record.amountMinor.toString(),
    currency: record.currency,
    ...(request === undefined ? {} : { level: request.level }),
    ...(debits[0] === undefined ? {} : { status: debits[0].statusId }),
    ...(kind === 'twice' ? { count: Math.max(requests.length, debits.length) } : {}),
  };
}
