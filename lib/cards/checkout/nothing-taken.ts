/**
 * Checkouts that ended unpaid: the gateway's own response said that nothing was charged, and its
 * record has no such order. Pure.
 */
import type { KnownPayment } from '../payments/payment.ts';
import type { RecordOutcome } from '#lib/providers/card/types.ts';

/**
 * Responses to our one request which prove that this request charged nothing. No other response
 * does.
 */
const NOTHING_TAKEN: ReadonlySet<string> = new Set(['refused', 'not_sent', 'unauthorized']);

/**
 * The state of a checkout sent by this server, after its record was read. The checkout ends as
 * unpaid only with both sources: a response which proves that nothing was charged, and a record
 * without such an order.
 */
export function withAnswer(
  known: KnownPayment,
  record: RecordOutcome,
  answer: string | null,
): KnownPayment {
  const isNothing =
    record.kind === 'not_found' &&
    known.state === null &&
    answer !== null &&
    NOTHING_TAKEN.has(answer);
  return isNothing ? { ...known, state: 'failed', problem: null } : known;
}

/**
 * The time after which no copy of a request can arrive: 30 s for the response, and 180 s in which a
 * copy may still be in flight.
 */
const COPIES_END_MS = (30 + 180) * 1_000;

/**
 * When to read the record of a refused charge once more: a proxy may send a request twice, so that
 * one copy is refused and the other one is carried out. The record is read when no copy can be in
 * flight any more. Null when no such reading is due.
 */
export function lookAfterRefusal(
  state: KnownPayment['state'],
  { answer, sentAt }: { answer: string | null; sentAt: number | null },
  now: number,
): number | null {
  if (state !== 'failed' || answer !== 'refused' || sentAt === null) return null;
  return now < sentAt + COPIES_END_MS ? sentAt + COPIES_END_MS : null;
}
