import 'server-only';
import { may, assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import type { ChargeContent, ChargeKind } from '../checkout/content.ts';
import { isOpen, isVerified } from '../checkout/row.ts';
import { columns, inTransaction } from '#lib/runtime/db.ts';
import type { RowOf } from '#lib/runtime/db.ts';
import { toDecimal } from '#lib/values/money.ts';
import { UUID } from '#lib/values/uuid.ts';
import { toRow, ATTENTION } from './list.ts';
import type { CardRow } from './list.ts';
import { PAYMENT } from './row.ts';
import type { StoredPayment } from './row.ts';

const OBSERVATIONS_MAX = 200;

/**
 * One observation of a source, newest last. `detail` as it was stored: states, problem, refunded
 * and charged in minor units.
 */
export type Observation = {
  id: string;
  source: 'notice' | 'record' | 'person' | 'return' | 'answer';
  kind: string;
  detail: Record<string, string | null>;
  raw: string | null;
  at: string;
};

export type MadeHere = {
  kind: ChargeKind;
  content: ChargeContent;
  link: string | null;
  sent: boolean;
  answer: string | null;
  open: boolean;
  verified: boolean;
};

export type CardPaymentView = CardRow & {
  charged: string | null;
  transactionId: string | null;
  reason: string | null;
  settlesOn: string | null;
  planCode: string | null;
  refunds: { refundId: string; amount: string; at: string | null; status: string | null }[];
  nextAt: string | null;
  addedBy: string | null;
  needsAttention: boolean;
  /** Who has looked into what needed attention, and what came of it. */
  problemSeen: { by: string; at: string; reason: string } | null;
  observations: Observation[];
  /**
   * The request and its progress, for a checkout made here. `open`: the checkout still accepts a
   * card.
   */
  made: MadeHere | null;
  now: string;
};

const OBSERVATION = columns('card_observations', ['id', 'source', 'kind', 'detail', 'raw', 'at']);

/** `seer`: who has looked into the problem. */
type Beside = {
  adder: string | null;
  seer: string | null;
  problem_seen_at: Date | null;
  problem_seen_reason: string | null;
  attention: boolean;
  now: Date;
};

/** One card payment with all observations; null when this merchant has no payment with that id. */
export async function viewCardPayment(actor: Person, id: string): Promise<CardPaymentView | null> {
  assertMay(actor, 'card.read');
  if (!UUID.test(id)) return null;
  return inTransaction(actor.merchantId, async (tx) => {
    const [raw] = await tx.$queryRaw<(StoredPayment & Beside)[]>`
      SELECT ${PAYMENT.of('p')}, p.problem_seen_at, p.problem_seen_reason,
        coalesce(${ATTENTION}, false) AS attention, adder.name AS adder, seer.name AS seer,
        clock_timestamp() AS now
      FROM card_payments p LEFT JOIN people adder ON adder.id = p.added_by
        LEFT JOIN people seer ON seer.id = p.problem_seen_by WHERE p.id = ${id}::uuid`;
    if (!raw) return null;
    const observations = await tx.$queryRaw<
      RowOf<
        typeof OBSERVATION,
        { source: Observation['source']; detail: Record<string, string | null> }
      >[]
    >`
      SELECT ${OBSERVATION.of('t')} FROM (SELECT ${OBSERVATION} FROM card_observations
        WHERE payment_id = ${id}::uuid ORDER BY id DESC LIMIT ${OBSERVATIONS_MAX}) t ORDER BY t.id`;
    return {
      ...toRow(raw),
      charged:
        raw.charged_minor === null || raw.charged_minor === raw.amount_minor
          ? null
          : toDecimal(raw.charged_minor),
      transactionId: raw.transaction_id,
      reason: raw.reason,
      settlesOn: raw.settles_on,
      planCode: raw.plan_code,
      refunds: raw.refunds.map(({ refundId, amountMinor, at, status }) => ({
        refundId,
        amount: toDecimal(BigInt(amountMinor)),
        at,
        status,
      })),
      nextAt: raw.next_at?.toISOString() ?? null,
      addedBy: raw.adder,
      needsAttention: raw.attention,
      problemSeen: raw.problem_seen_at && {
        by: raw.seer ?? '',
        at: raw.problem_seen_at.toISOString(),
        reason: raw.problem_seen_reason ?? '',
      },
      observations: observations.map(({ source, ...one }) => ({
        ...one,
        source,
        id: one.id.toString(),
        at: one.at.toISOString(),
      })),
      now: raw.now.toISOString(),
      made: madeOf(raw, may(actor.role, 'payee.read'), {
        returned: observations.some((one) => one.source === 'return'),
        verified: observations.some(
          (one) =>
            one.source === 'return' && one.kind === 'verified' && one.detail['hash'] === 'agrees',
        ),
      }),
    };
  });
}

/** Address, e-mail and phone of a customer are hidden from roles that do not need them. */
function madeOf(
  raw: StoredPayment,
  withBill: boolean,
  steps: { returned: boolean; verified: boolean },
): MadeHere | null {
  const { kind, content, link, answer } = raw;
  if (kind === null || content === null) return null;
  const { insurance, ...rest } = content;
  const shown = withBill ? rest : { ...rest, bill: {} };
  return {
    kind,
    link,
    answer,
    sent: raw.sent_at !== null,
    open: isOpen({ ...raw, ...steps }),
    verified: isVerified({ ...raw, ...steps, content }),
    content: insurance
      ? { ...shown, insurance: { identityNumber: `…${insurance.identityNumber.slice(-3)}` } }
      : shown,
  };
}
