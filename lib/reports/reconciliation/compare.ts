import type { Books, Difference, Judged, Kind, Line, Reading, Request, Recorded } from './books.ts';
import { capabilitiesOf } from '#lib/movements/kinds.ts';
import { judgePayment, paidOf } from './judge.ts';
import { lineStatus } from './tables.ts';

/**
 * Compares both sides' records in both directions: each movement of ours with every record that
 * names it, and each record without a movement of ours. Incoming money from third parties is not
 * compared here, unless it returns a payment of ours. Pure.
 */

/** The format of `newExtId`: 20 characters of Crockford's alphabet. */
const OUR_FORM = /^[0-9A-HJKMNP-TV-Z]{20}$/;

export function compareBooks(books: Books, reading: Reading): Judged[] {
  const requestsOf = groupBy(books.requests, (request) => request.extId);
  const linesOf = groupBy(books.lines, (line) => line.extId);
  const returnsOf = groupBy(
    books.lines.filter((line) => line.direction === 'in'),
    (line) => line.refersTo,
  );
  const judged = books.ours.flatMap((ours) => {
    const requests = requestsOf.get(ours.extId) ?? [];
    const named = linesOf.get(ours.extId) ?? [];
    if (ours.sentAt === null && requests.length + named.length === 0) return [];
    const debits = named.filter((line) => line.direction === 'out');
    const numbers = new Set([ours.transactionId, ...debits.map((line) => line.id)]);
    const returned = [...numbers].flatMap((id) => (id === null ? [] : (returnsOf.get(id) ?? [])));
    // A payout's own reference on an incoming entry: a return without any other link.
    const credits = new Set([
      ...returned,
      ...(capabilitiesOf(ours.kind).record === 'request'
        ? named.filter((line) => line.direction === 'in')
        : []),
    ]);
    return judgePayment(
      { ours, requests, debits, credits: [...credits].filter(isCompleted) },
      reading,
    );
  });
  return [...judged, ...foreignPayments(books, returnsOf, reading)];
}

/**
 * Payments without a movement of ours, each with its request and its entries as one. Two requests may
 * name one entry, whose money left once: it is paid and counted by the first of them alone.
 */
function foreignPayments(
  { ours, requests, lines }: Books,
  returnsOf: ReadonlyMap<string, readonly Line[]>,
  reading: Reading,
): Judged[] {
  const known = new Set(ours.map((one) => one.extId));
  const numbers = new Set(ours.flatMap((one) => one.transactionId ?? []));
  const isForeign = (record: Request | Line): boolean =>
    (record.extId === null || !known.has(record.extId)) && record.createdAt >= reading.booksBegan;
  const foreignRequests = requests.filter(isForeign);
  const outgoing = lines.filter(
    (line) => isForeign(line) && leaves(line, reading) && !numbers.has(line.id),
  );
  const explained = new Set<Line>();
  const judge = (request: Request | null, own: readonly Line[]): Judged => {
    const debits = own.filter((line) => !explained.has(line));
    for (const line of debits) explained.add(line);
    const credits = debits.flatMap((line) => returnsOf.get(line.id) ?? []).filter(isCompleted);
    return foreign({ request, line: own[0] ?? null, debits, credits }, reading);
  };
  const judged = foreignRequests.map((request) =>
    judge(
      request,
      outgoing.filter(
        (line) =>
          (request.extId !== null && line.extId === request.extId) ||
          line.id === request.correlationId ||
          line.groupId === request.requestId,
      ),
    ),
  );
  return [
    ...judged,
    ...outgoing.filter((line) => !explained.has(line)).map((line) => judge(null, [line])),
  ];
}

/** Only a posted credit has brought money back, as for the confirmation of a return. */
function isCompleted(line: Line): boolean {
  return lineStatus(line.statusId) === 'completed';
}

/** Whether an entry is outgoing money. In doubt it is, because incoming money is not compared. */
function leaves(line: Line, { ownWallets }: Reading): boolean {
  const comesIn =
    line.toWallet !== null &&
    ownWallets.has(line.toWallet) &&
    (line.fromWallet === null || !ownWallets.has(line.fromWallet));
  return line.direction === 'out' && !comesIn;
}

/** `line`: the entry to look at. `debits`: those that no earlier request has. */
type ForeignPayment = {
  request: Request | null;
  line: Line | null;
  debits: readonly Line[];
  credits: readonly Line[];
};

function foreign(payment: ForeignPayment, reading: Reading): Judged {
  const { request, line, debits, credits } = payment;
  const record = (request ?? line)!;
  const theirs: Recorded = {
    amount: record.amountMinor.toString(),
    currency: record.currency,
    ...(request === null ? {} : { level: request.level }),
    ...(line === null ? {} : { status: line.statusId }),
  };
  const day = reading.dayOf(record.createdAt);
  const kind: Kind =
    record.extId !== null && OUR_FORM.test(record.extId) ? 'missing_here' : 'made_elsewhere';
  const reference = request === null ? `line:${line!.id}` : `request:${request.requestId}`;
  const difference: Difference = {
    day,
    kind,
    reference,
    movementId: null,
    requestId: request?.requestId ?? null,
    lineId: line?.id ?? null,
    ours: null,
    theirs,
  };
  return {
    day,
    reference,
    differences: [difference],
    waits: false,
    paid: paidOf(null, payment),
    counts: {
      movements: 0,
      requests: request === null ? 0 : 1,
      lines: debits.length + credits.length,
    },
    words: reference,
  };
}

function groupBy<T>(all: readonly T[], keyOf: (one: T) => string | null): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const one of all) {
    const key = keyOf(one);
    if (key !== null) groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return groups;
}
