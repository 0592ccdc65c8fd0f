/**
 * Payments of which the gateway's own answer said that nothing was taken, and its record knows no
 * order. Pure.
 */
import type { KnownPayment } from '../payments/payment.ts';
import type { RecordOutcome } from '#lib/providers/card/types.ts';

/**
 * Answers to our one request that say, of that request, that it charged nothing. Any other proves
 * nothing.
 */
const NOTHING_TAKEN: ReadonlySet<string> = new Set(['refused', 'not_sent', 'unauthorized']);

/**
 * A payment that this server asked for, after a look at its record. Two witnesses end it as not
 * paid: the answer said no, and the record knows of no such order. One of them alone ends nothing.
 */
export function withAnswer(
  known: KnownPayment,
  heard: RecordOutcome,
  answer: string | null,
): KnownPayment {
  const isNothing =
    heard.kind === 'not_found' &&
    known.state === null &&
    answer !== null &&
    NOTHING_TAKEN.has(answer);
  return isNothing ? { ...known, state: 'failed', problem: null } : known;
}
