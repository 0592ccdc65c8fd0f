import 'server-only';
import { assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import type { PaymentState } from '../payments/payment.ts';
import { learn } from '../payments/payment.ts';
import { toDecimal } from '#lib/values/money.ts';
import type { CardClient } from '#lib/providers/card/client.ts';
import { cardClient } from '#lib/providers/card/configured-client.ts';
import { countAttempt } from '#lib/access/rate-limit.ts';
import { viewSending } from '#lib/send-control/view.ts';
import { Refusal } from '#lib/access/refusal.ts';
import { UUID } from '#lib/values/uuid.ts';
import { paymentFacts } from './facts.ts';
import { judge, KIND_OF, OPERATIONS } from './operation.ts';
import type { Operation, OperationStop } from './operation.ts';
import { waitingMinor } from './proof.ts';

/**
 * The amounts of a payment by its record, read just now. Amounts are decimal text, times ISO; null
 * means unknown or not applicable.
 */
export type RemainingAmounts =
  | {
      kind: 'answered';
      at: string;
      currency: string;
      state: PaymentState | null;
      /** Authorized on the card, can be captured or voided. */
      held: string | null;
      charged: string | null;
      refunded: string | null;
      /** Refunds that wait at the gateway: not in `refunded` yet, nor in `remaining`. */
      waiting: string | null;
      /** What can still be refunded. */
      remaining: string | null;
      /**
       * Why each operation cannot be started, apart from another open operation; null when it can.
       */
      stops: Record<Operation, OperationStop | null>;
      /** Whether sending is stopped: the operation would wait here until it is resumed. */
      sendingStopped: Record<Operation, boolean>;
    }
  | { kind: 'no_answer'; at: string };

/**
 * What a dialog shows before a decision. It moves nothing, and no operation relies on it: starting
 * one queries the gateway again.
 *
 * @throws Refusal not_allowed, not_found, too_many
 */
export async function remainingAmounts(
  actor: Person,
  paymentId: string,
  card: Pick<CardClient, 'readRecord'> = cardClient(),
): Promise<RemainingAmounts> {
  assertMay(actor, 'card.read');
  if (!UUID.test(paymentId)) throw new Refusal('not_found');
  await countAttempt(actor, 'card.look');
  const facts = await paymentFacts(actor.merchantId, paymentId);
  if (!facts) throw new Refusal('not_found');
  const { known, currency } = facts;
  const record = await card.readRecord({
    invoiceId: facts.invoiceId,
    amountMinor: known.amountMinor,
  });
  const at = new Date(facts.at).toISOString();
  // Another amount, or no such order, is an answer: it says why nothing can be started.
  if (record.kind === 'no_answer' && record.why !== 'mismatch') return { kind: 'no_answer', at };
  const after = learn(known, record, facts.at);
  const { stops } = await viewSending(actor);
  const isStopped = (one: Operation): boolean =>
    stops.some(({ kind }) => kind === 'all' || kind === KIND_OF[one]);
  const judged = Object.fromEntries(
    OPERATIONS.map((one) => [one, judge(one, known, record, facts.at)]),
  ) as Record<Operation, ReturnType<typeof judge>>;
  const isFound = record.kind === 'found';
  const waiting = isFound ? waitingMinor(record.refunds) : 0n;
  const leftOf = (one: Operation): string | null =>
    judged[one].kind === 'may' ? toDecimal(judged[one].standing.leftMinor) : null;
  const amount = (minor: bigint | null): string | null =>
    minor === null ? null : toDecimal(minor);
  return {
    kind: 'answered',
    at,
    currency,
    state: after.state,
    held: leftOf('release'),
    charged: amount(isFound ? after.chargedMinor : null),
    refunded: amount(isFound ? after.refundedMinor : null),
    waiting: waiting > 0n ? toDecimal(waiting) : null,
    remaining: leftOf('refund'),
    stops: {
      capture: stopOf(judged.capture),
      release: stopOf(judged.release),
      refund: stopOf(judged.refund),
    },
    sendingStopped: {
      capture: isStopped('capture'),
      release: isStopped('release'),
      refund: isStopped('refund'),
    },
  };
}

function stopOf(judged: ReturnType<typeof judge>): OperationStop | null {
  if (judged.kind === 'stop') return judged.why;
  return judged.standing.leftMinor > 0n ? null : 'more_than_left';
}
