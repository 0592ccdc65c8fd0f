import { getTranslations } from 'next-intl/server';
import { CARD_TONES } from '#app/cards/payments/card-state.tsx';
import { PLAN_TONES } from '#app/cards/recurring/plan-state.tsx';
import type { CardPaymentHit, CustomerHit, FoundCards, PlanHit } from '#lib/search/find-cards.ts';
import { group, hit } from './shown-hits.ts';
import type { ShownGroup, ShownHit, Writing } from './shown-hits.ts';

/** What was found on the card side. Of a card only its last four digits are known. */
export async function cardGroups(
  found: FoundCards,
  lists: { payments: string; plans: string },
  w: Writing,
): Promise<ShownGroup[]> {
  const [payment, plan] = [
    await getTranslations('cards.states'),
    await getTranslations('recurring.states'),
  ];
  const more = (one: { more: boolean }, list: string): string | null => (one.more ? list : null);
  const stateOf = ({ state }: CardPaymentHit): ShownHit['state'] => ({
    tone: CARD_TONES[state ?? 'unverified'],
    text: payment(state ?? 'unverified'),
  });
  return [
    group(
      'cardPayments',
      found.cardPayments.rows.map((one) => ({ ...paymentHit(one, w), state: stateOf(one) })),
      more(found.cardPayments, lists.payments),
      w,
    ),
    group(
      'links',
      found.links.rows.map((one) => ({ ...linkHit(one, w), state: stateOf(one) })),
      more(found.links, '/cards/links'),
      w,
    ),
    group(
      'plans',
      found.plans.rows.map((one) => ({
        ...planHit(one, w),
        state: {
          tone: PLAN_TONES[one.status ?? 'unverified'],
          text: plan(one.status ?? 'unverified'),
        },
      })),
      more(found.plans, lists.plans),
      w,
    ),
    group(
      'customers',
      found.customers.rows.map((one) => customerHit(one, w)),
      more(found.customers, '/cards/saved'),
      w,
    ),
  ];
}

const digits = (card: string | null): string | null => (card === null ? null : `•••• ${card}`);
const joined = (...parts: (string | null)[]): string => parts.filter(Boolean).join(' · ');

function paymentHit(one: CardPaymentHit, w: Writing): ShownHit {
  return hit(
    `card-payments-${one.id}`,
    `/cards/payments/${one.id}`,
    one.invoiceId,
    joined(digits(one.card), one.buyer, one.description),
    amountAndTime(one),
    w,
  );
}

/** Until a customer has paid, a link has no card. */
function linkHit(one: CardPaymentHit, w: Writing): ShownHit {
  return hit(
    `links-${one.id}`,
    `/cards/payments/${one.id}`,
    one.buyer ?? one.invoiceId,
    joined(one.description, one.invoiceId),
    amountAndTime(one),
    w,
  );
}

function planHit(one: PlanHit, w: Writing): ShownHit {
  return hit(
    `plans-${one.id}`,
    `/cards/recurring/${one.id}`,
    one.planCode,
    digits(one.card) ?? '',
    one.amount === null ? {} : { amount: one.amount, currency: one.currency },
    w,
  );
}

function customerHit(one: CustomerHit, w: Writing): ShownHit {
  return hit(
    `customers-${one.number}`,
    `/cards/saved?customer=${encodeURIComponent(one.number)}`,
    one.name ?? w.t('noName'),
    joined(one.number, ...one.cards.map(digits)),
    {},
    w,
  );
}

function amountAndTime({ amount, currency, at }: CardPaymentHit): Parameters<typeof hit>[4] {
  return amount === null ? { at } : { at, amount, currency };
}
