import 'server-only';
import type { ChargeContent, ChargeKind } from '../checkout/content.ts';
import type { KnownPayment, PaymentProblem, PaymentState } from './payment.ts';

export type RawPayment = {
  id: string;
  invoice_id: string;
  source: 'notice' | 'person' | 'made_here';
  state: PaymentState | null;
  problem: PaymentProblem | null;
  amount_minor: bigint | null;
  charged_minor: bigint | null;
  refunded_minor: bigint | null;
  currency: string;
  card: string | null;
  order_id: string | null;
  transaction_id: string | null;
  reason: string | null;
  settles_on: string | null;
  plan_code: string | null;
  refunds: KnownPayment['refunds'];
  held_since: Date | null;
  held_seen: boolean;
  verified_at: Date | null;
  tries: number;
  last_hint_at: Date | null;
  next_at: Date | null;
  first_seen_at: Date;
  kind: ChargeKind | null;
  content: ChargeContent | null;
  sent_at: Date | null;
  answer: string | null;
  link: string | null;
};

export function knownOf(raw: RawPayment): KnownPayment {
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
    planCode: raw.plan_code,
    refunds: raw.refunds,
    heldSince: raw.held_since?.getTime() ?? null,
    heldSeen: raw.held_seen,
    verifiedAt: raw.verified_at?.getTime() ?? null,
  };
}
