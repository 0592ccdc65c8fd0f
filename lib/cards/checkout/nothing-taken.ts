/**
 * Checkouts that ended unpaid: the gateway's own response said that nothing was charged, and its
 * record has no such order. Pure.
 */
import type { KnownPayment } from '../payments/payment.ts';
import { LISTING_LAG_MS } from '#lib/movements/kinds.ts';
import { refusedOffsets } from '#lib/movements/schedule.ts';
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
 * When to read the record of a refused charge once more: a proxy may send a request twice, so that
 * one copy is refused and the other one is carried out. The record is read as often as that of a
 * refused movement, a last time a day later. Null when no such reading is due.
 */
export function lookAfterRefusal(
  state: KnownPayment['state'],
  { answer, sentAt }: { answer: string | null; sentAt: number | null },
  now: number,
): number | null {
  if (state !== 'failed' || answer !== 'refused' || sentAt === null) return null;
  const looks = refusedOffsets(LISTING_LAG_MS).map((ms) => sentAt + ms);
  return looks.find((at) => now < at) ?? null;
}
