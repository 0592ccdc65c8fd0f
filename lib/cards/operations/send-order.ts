import { beginAndRequest } from '#lib/begin-check/begin-check.ts';
import type { Timing } from '#lib/begin-check/begin-check.ts';
import type { SendOrder } from '#lib/movements/one-step.ts';
import type { ConfirmOutcome, RecordOutcome, RefundOutcome } from '#lib/providers/card/types.ts';
import type { SendOutcome } from '#lib/providers/outcome.ts';
import { judge } from './operation.ts';
import type { KnownHere, Operation } from './operation.ts';
import { answered, proven } from './proof.ts';
import type { Sent } from './proof.ts';

/**
 * The order of effects of a capture, a void or a refund: query the payment's record → judge → begin
 * → request → query again if the answer is code 49. Pure. The worker and the simulator carry out
 * its effects.
 */

/**
 * The code by which the gateway refuses a refund, and also answers a repeat within about 30 seconds
 * (`published`).
 */
const REFUND_FAILED = '49';
/**
 * When the record is queried after code 49: at once, and again after the 30 seconds in which a
 * repeat gets this code, because the record may be that late.
 */
const QUERIES_AFTER_MS = [0, 31_000];

/**
 * The payment's record, and what is known of it here. `known` is null when the register does not
 * have the payment; `at` is the database's time. `restored`: the operation is older than a
 * recovery, so the database may have lost the record that it was sent.
 */
export type Queried = {
  known: KnownHere | null;
  record: RecordOutcome;
  at: number;
  restored: boolean;
};

type Subject = { operation: Operation; sent: Sent };

/**
 * @returns what the send proves: a refusal only where the record shows that nothing of it was
 * carried out
 */
export function* sendCardOperation<T>(
  task: T,
  { operation, sent }: Subject,
  timing: Timing,
): SendOrder<T> {
  const stopped = judgeBefore(operation, sent, (yield { kind: 'query', task }) as Queried);
  if (stopped !== null) return stopped;
  const outcome = yield* beginAndRequest<T, ConfirmOutcome | RefundOutcome>(task, timing);
  if (operation !== 'refund' || outcome.kind !== 'look' || outcome.code !== REFUND_FAILED)
    return answered(sent, outcome);
  // Code 49 is believed as a refusal of this operation only if the payment's record shows nothing
  // new, both now and after the time in which a repeat gets the code.
  for (const wait of QUERIES_AFTER_MS) {
    if (wait > 0) {
      if ((yield { kind: 'renew', task }) !== true) return answered(sent, outcome);
      yield { kind: 'rest', ms: wait };
      if ((yield { kind: 'renew', task }) !== true) return answered(sent, outcome);
    }
    const { record } = (yield { kind: 'query', task }) as Queried;
    if (proven(operation, sent, record).kind !== 'not_found') return answered(sent, outcome);
  }
  return { ...outcome, kind: 'refused', code: REFUND_FAILED };
}

/**
 * Judges the record, read now; null when it still allows the operation. Otherwise nothing is sent:
 * because the record forbids it, or because its state is unknown. After a restore, a new change in
 * the record may be this very operation: the outcome is then unknown, never refused.
 */
export function judgeBefore(
  operation: Operation,
  sent: Sent,
  { known, record, at, restored }: Queried,
): SendOutcome | null {
  if (known === null) return notSent(null);
  if (record.kind === 'no_answer' && record.why !== 'mismatch') return notSent(record.raw);
  const isListed =
    record.kind === 'found' && record.refunds.some((row) => row.refundId === sent.extId);
  const isNews = proven(operation, sent, record).kind !== 'not_found';
  if (isListed || (restored && isNews))
    return { kind: 'record_exists', code: null, message: null, raw: record.raw };
  const judged = judge(operation, known, record, at);
  const refused = (code: string): SendOutcome => ({
    kind: 'refused',
    code,
    message: null,
    raw: record.raw,
  });
  // `not_held` and `not_taken` are changes made elsewhere, because there was something to capture,
  // void or refund when the operation was stored.
  if (judged.kind === 'stop')
    return refused(
      judged.why === 'not_held' || judged.why === 'not_taken' ? 'changed_elsewhere' : judged.why,
    );
  if (judged.standing.beforeMinor !== sent.card.beforeMinor || isNews)
    return refused('changed_elsewhere');
  return sent.amountMinor > judged.standing.leftMinor ? refused('more_than_left') : null;
}

function notSent(raw: string | null): SendOutcome {
  return { kind: 'not_sent', why: 'unreachable', raw, code: null, message: null };
}
