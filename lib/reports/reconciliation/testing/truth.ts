import type { Books, Line, Ours, Reading, Request } from '../books.ts';

/** The actual payments of one day, and their records on both sides. */

export const DAY = '2026-03-06';
/** Midnight in Istanbul. */
export const DAY_START = Date.parse('2026-03-05T21:00:00Z');
const HOUR = 3_600_000;
const MINUTE = 60_000;

/** `kind`: the outcome of the payment. `at`: minutes after midnight at which it was sent. */
export type Truth = {
  kind:
    | 'paid'
    | 'rejected'
    | 'failed'
    | 'pending'
    | 'returned'
    | 'returned60'
    | 'transfer'
    | 'never_sent'
    | 'refused';
  at: number;
  amount: bigint;
};

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

export function refOf(n: number): string {
  return (
    Array.from({ length: 20 }, (_, at) => ALPHABET[(n * 7 + at * (n + 3)) % 32])
      .join('')
      .slice(0, 16) + String(n).padStart(4, '0')
  );
}

const txIdOf = (n: number): string => `9${String(n).padStart(8, '0')}`;

/** Both sides' records of one payment, in agreement. */
export function tell(
  { kind: caseKind, at, amount }: Truth,
  n: number,
): { ours: Ours; requests: Request[]; lines: Line[] } {
  const sent = DAY_START + at * MINUTE;
  const ended = sent + 2 * MINUTE;
  const kind = caseKind === 'transfer' ? 'transfer_person' : 'payout';
  const isPaid =
    caseKind === 'paid' ||
    caseKind === 'returned' ||
    caseKind === 'returned60' ||
    caseKind === 'transfer';
  const isReturned = caseKind === 'returned' || caseKind === 'returned60';
  const state = isPaid
    ? 'COMPLETED'
    : (
        {
          rejected: 'REJECTED',
          failed: 'FAILED',
          pending: 'PENDING',
          never_sent: 'CANCELLED',
          refused: 'REJECTED',
        } as const
      )[caseKind as 'rejected'];
  const extId = refOf(n);
  const isSent = caseKind !== 'never_sent';
  const ours: Ours = {
    id: `m${n}`,
    extId,
    kind,
    state,
    returned: isReturned ? 'CONFIRMED' : 'NONE',
    amountMinor: amount,
    currency: 'TRY',
    iban: kind === 'payout' ? 'TR330006100519786457841326' : null,
    toWallet: kind === 'payout' ? null : '300',
    transactionId: isPaid ? txIdOf(n) : null,
    sentAt: isSent ? sent : null,
    acceptedAt: isSent && caseKind !== 'refused' ? sent + 1_000 : null,
    endedAt: caseKind === 'pending' ? null : ended,
    returnedAt: isReturned ? ended + HOUR : null,
    stateSince: caseKind === 'pending' ? sent + 1_000 : ended,
  };
  const level = isPaid
    ? 'completed'
    : caseKind === 'rejected' || caseKind === 'failed' || caseKind === 'pending'
      ? caseKind
      : null;
  const requests =
    kind === 'payout' && level !== null ? [requestOf(n, { level, amount, sent, ended })] : [];
  const isToBank = kind === 'payout';
  return {
    ours,
    requests,
    lines: isPaid ? linesOf(n, { kind: caseKind, amount, sent, ended, isToBank }) : [],
  };
}

type Facts = { amount: bigint; sent: number; ended: number };

function requestOf(
  n: number,
  { level, amount, sent, ended }: Facts & { level: Request['level'] },
): Request {
  return {
    requestId: `8${n}`,
    extId: refOf(n),
    correlationId: txIdOf(n),
    level,
    amountMinor: amount,
    currency: 'TRY',
    iban: 'tr33 0006 1005 1978 6457 8413 26',
    createdAt: sent + 500,
    updatedAt: ended,
  };
}

function linesOf(
  n: number,
  { kind, amount, sent, ended, isToBank }: Facts & { kind: Truth['kind']; isToBank: boolean },
): Line[] {
  const line: Line = {
    id: txIdOf(n),
    extId: refOf(n),
    groupId: `8${n}`,
    refersTo: null,
    direction: 'out',
    fromWallet: '100',
    toWallet: isToBank ? null : '300',
    statusId: kind === 'returned60' ? 60 : 20,
    amountMinor: amount,
    currency: 'TRY',
    createdAt: sent + 500,
    completedAt: ended,
  };
  const back: Line = {
    ...line,
    id: `7${n}`,
    extId: null,
    groupId: null,
    refersTo: line.id,
    direction: 'in',
    fromWallet: null,
    toWallet: '100',
    statusId: 20,
    createdAt: ended + HOUR,
    completedAt: ended + HOUR,
  };
  return kind === 'returned' ? [line, back] : [line];
}

export function booksOf(truths: readonly Truth[]): Books {
  const payments = truths.map(tell);
  return {
    ours: payments.map((one) => one.ours),
    requests: payments.flatMap((one) => one.requests),
    lines: payments.flatMap((one) => one.lines),
  };
}

/** Everything read two days later. */
export function reading(over: Partial<Reading> = {}): Reading {
  return {
    readAt: () => DAY_START + 72 * HOUR,
    dayOf: (ms) => new Date(ms + 3 * HOUR).toISOString().slice(0, 10),
    booksBegan: 0,
    ownWallets: new Set(['100', '200']),
    ...over,
  };
}
