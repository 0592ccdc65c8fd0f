import 'server-only';
import { columns } from '#lib/runtime/db.ts';
import type { RowOf } from '#lib/runtime/db.ts';
import type { ChargeContent, ChargeKind } from '../checkout/content.ts';
import type { KnownPayment, PaymentProblem, PaymentState } from './payment.ts';

export const PAYMENT = columns('card_payments', [
  'id',
  'invoice_id',
  'source',
  'state',
  'problem',
  'amount_minor',
  'charged_minor',
  'refunded_minor',
  'currency',
  'card',
  'order_id',
  'transaction_id',
  'reason',
  'settles_on',
  'installments',
  'commission_minor',
  'plan_code',
  'refunds',
  'held_since',
  'held_seen',
  'verified_at',
  'tries',
  'last_hint_at',
  'next_at',
  'first_seen_at',
  'kind',
  'content',
  'sent_at',
  'answer',
  'link',
]);

export type StoredPayment = RowOf<
  typeof PAYMENT,
  {
    source: 'notice' | 'person' | 'made_here';
    state: PaymentState | null;
    problem: PaymentProblem | null;
    refunds: KnownPayment['refunds'];
    kind: ChargeKind | null;
    content: ChargeContent | null;
  }
>;

export function knownOf(raw: StoredPayment): KnownPayment {
  return {
    state: raw.state,
    problem: raw.problem,
    amountMinor: raw.amount_minor,
    chargedMinor: raw.charged_minor,
    refundedMinor: raw.refunded_minor,
    card: raw.card,
    orderId: raw.order_id,
    transactionId: raw.transaction_id,
    reason: raw.reason,
    settlesOn: raw.settles_on,
    installments: raw.installments,
    commissionMinor: raw.commission_minor,
    planCode: raw.plan_code,
    refunds: raw.refunds,
    heldSince: raw.held_since?.getTime() ?? null,
    heldSeen: raw.held_seen,
    verifiedAt: raw.verified_at?.getTime() ?? null,
  };
}
