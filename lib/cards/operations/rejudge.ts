import 'server-only';
import { isCardOperation } from '#lib/movements/kinds.ts';
import type { Rejudge } from '#lib/movements/rejudge.ts';
import { cardClient } from '#lib/providers/card/configured-client.ts';
import { readPaymentFacts } from './facts.ts';
import { judge, operationOf } from './operation.ts';

/** Judges a stored card operation as its form was judged, by the gateway's record of now. */
export const rejudgeCardOperation: Rejudge = async (movement) => {
  const { kind, invoice_id: invoiceId, card_payment_id: paymentId, before_minor } = movement;
  if (!isCardOperation(kind) || invoiceId === null || paymentId === null)
    throw new Error(`${kind} is no card operation`);
  const record = await cardClient().readRecord({ invoiceId, amountMinor: null });
  return async (tx) => {
    const facts = await readPaymentFacts(tx, paymentId);
    if (facts === null) return 'not_verified';
    const judged = judge(operationOf(kind), facts.known, record, facts.at);
    if (judged.kind === 'stop') return judged.why;
    if (movement.amount_minor > judged.standing.leftMinor) return 'more_than_left';
    // The worker compares the record with this amount before and after the request.
    return judged.standing.beforeMinor === before_minor ? null : 'changed_elsewhere';
  };
};
