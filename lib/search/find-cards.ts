import 'server-only';
import { may } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { sql } from '#lib/runtime/db.ts';
import type { Prisma } from '#lib/runtime/db.ts';
import { toDecimal } from '#lib/values/money.ts';
import { linkStateOf, TAKEN_MINOR } from '#lib/cards/payments/list.ts';
import type { LinkState } from '#lib/cards/payments/list.ts';
import type { PaymentProblem, PaymentState } from '#lib/cards/payments/payment.ts';
import type { PlanStatus } from '#lib/cards/recurring/plan.ts';
import { customerKeys, paymentKeys, planKeys } from './card-lookups.ts';
import { group, rows } from './groups.ts';
import type { Group } from './groups.ts';
import type { Reading } from '#lib/readings/understand.ts';

/**
 * The card side of the search: payments, payment links, plans and the customers with saved cards. A
 * result contains at most the last four digits of a card.
 */

/**
 * `state`: as on the payment's own page. `buyer` and `description` are known for payments that were
 * made here. Amounts as in MovementHit.
 */
export type CardPaymentHit = {
  id: string;
  invoiceId: string;
  state: PaymentState | LinkState | null;
  card: string | null;
  buyer: string | null;
  description: string | null;
  amount: string | null;
  currency: string;
  at: string;
};
export type PlanHit = {
  id: string;
  planCode: string;
  status: PlanStatus | null;
  card: string | null;
  amount: string | null;
  currency: string;
};
export type CustomerHit = { number: string; name: string | null; cards: string[] };

export type FoundCards = {
  cardPayments: Group<CardPaymentHit>;
  links: Group<CardPaymentHit>;
  plans: Group<PlanHit>;
  customers: Group<CustomerHit>;
};

type RawPayment = Omit<CardPaymentHit, 'invoiceId' | 'state'> & {
  invoice_id: string;
  state: PaymentState | null;
  problem: PaymentProblem | null;
  link: string | null;
};
export type CardAnswer = {
  card_payments: RawPayment[];
  links: RawPayment[];
  plans: (Omit<PlanHit, 'planCode'> & { plan_code: string })[];
  customers: CustomerHit[];
};

/**
 * The columns of the card groups in the one statement of the search; empty lists for a person who
 * may not see cards.
 */
export function cardColumns(actor: Person, readings: readonly Reading[]): Prisma.Sql {
  if (!may(actor.role, 'card.read'))
    return sql`'[]'::jsonb AS card_payments, '[]'::jsonb AS links, '[]'::jsonb AS plans,
      '[]'::jsonb AS customers`;
  const payments = (condition: Prisma.Sql): Prisma.Sql =>
    rows(sql`
      SELECT p.id, p.invoice_id, p.state, p.problem, p.link, p.card, (${TAKEN_MINOR})::text AS amount, p.currency,
        nullif(concat_ws(' ', p.content #>> '{buyer,name}', p.content #>> '{buyer,surname}'), '')
          AS buyer, p.content ->> 'description' AS description, p.first_seen_at AS at
      FROM card_payments p WHERE p.id IN (SELECT key FROM paid_by_card) AND ${condition}
      ORDER BY p.first_seen_at DESC, p.id`);
  return sql`${payments(sql`p.kind IS DISTINCT FROM 'link'`)} AS card_payments,
    ${payments(sql`p.kind = 'link'`)} AS links,
    ${rows(sql`
      SELECT p.id, p.plan_code, p.status, p.card, p.recurring_minor::text AS amount, p.currency
      FROM recurring_plans p WHERE p.id IN (${planKeys(readings)})
      ORDER BY p.first_seen_at DESC, p.id`)} AS plans,
    ${rows(sql`
      SELECT number, name, cards FROM card_customers WHERE number IN (${customerKeys(readings)})
      ORDER BY read_at DESC, number`)} AS customers`;
}

/** The keys of card payments, looked up once for both of their groups. */
export function cardKeys(readings: readonly Reading[]): Prisma.Sql {
  return sql`paid_by_card(key) AS MATERIALIZED (${paymentKeys(readings)})`;
}

export function shownCards(row: CardAnswer): FoundCards {
  const decimal = (text: string | null): string | null =>
    text === null ? null : toDecimal(BigInt(text));
  const payment = ({
    invoice_id: invoiceId,
    link,
    problem,
    ...one
  }: RawPayment): CardPaymentHit => ({
    ...one,
    state: linkStateOf({ ...one, link, problem }) ?? one.state,
    invoiceId,
    amount: decimal(one.amount),
    at: new Date(one.at).toISOString(),
  });
  return {
    cardPayments: group(row.card_payments, payment),
    links: group(row.links, payment),
    plans: group(row.plans, ({ plan_code: planCode, ...one }) => ({
      ...one,
      planCode,
      amount: decimal(one.amount),
    })),
    customers: group(row.customers, (one) => one),
  };
}
