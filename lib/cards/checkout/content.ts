/** The content of a checkout, stored as JSON. Amounts are minor units as text of digits. Pure. */
import type {
  Billing,
  CardOrder,
  CardProgram,
  OrderItem,
  SavedCardOrder,
} from '#lib/providers/card/types.ts';
import type { LinkContent } from '#lib/providers/card/purchase-body.ts';

/**
 * How the card data reaches the gateway. `three_d`: the browser posts the card to the gateway.
 * `non_secure`: this server sends the card once and keeps it in memory only. `saved_…`: the gateway
 * has stored the card. `link`: the customer types the card on the gateway's own page.
 */
export const CHARGE_KINDS = [
  'three_d',
  'non_secure',
  'saved_three_d',
  'saved_non_secure',
  'link',
] as const;
export type ChargeKind = (typeof CHARGE_KINDS)[number];

export type ChargeContent = {
  currency: 'TRY' | 'USD' | 'EUR';
  description: string;
  items: { name: string; description: string; priceMinor: string; quantity: number }[];
  buyer: { name: string; surname: string };
  bill: Billing;
  installments: number;
  commissionBy?: 'merchant' | 'user';
  cardProgram?: CardProgram;
  hold?: true;
  /**
   * The 3-D Secure step only verifies the card; a person captures the money afterwards, within 15
   * minutes (`published`).
   */
  verifyFirst?: true;
  recurring?: { count: number; cycle: 'day' | 'month' | 'year'; interval: number };
  insurance?: { identityNumber: string };
  agriculture?: { maturityPeriod: number; paymentFrequency: number };
  /**
   * A card of the customer that the gateway stores, by the number of its record. Its token is
   * fetched when it is needed.
   */
  savedCard?: { customerNumber: string; recordId: string };
};

/** The data of an order beside its content. */
export type ChargeFacts = {
  invoiceId: string;
  amountMinor: bigint;
  content: ChargeContent;
  hooks: { sale: string | null; recurring: string | null };
  ip: string | null;
};

type Common = Omit<CardOrder, 'buyer' | 'hold' | 'cardProgram'>;

export function cardOrderOf(facts: ChargeFacts): CardOrder {
  const { buyer, hold, cardProgram } = facts.content;
  return {
    ...commonOf(facts),
    buyer,
    ...(hold ? { hold } : {}),
    ...(cardProgram ? { cardProgram } : {}),
  };
}

/** `token` and the card's other fields as the gateway stores them now. */
export function savedOrderOf(facts: ChargeFacts, token: string): SavedCardOrder {
  const { buyer, bill, cardProgram, savedCard } = facts.content;
  return {
    ...commonOf(facts),
    cardToken: token,
    ...(cardProgram ? { cardProgram } : {}),
    customer: {
      number: savedCard!.customerNumber,
      name: `${buyer.name} ${buyer.surname}`,
      email: bill.email ?? '',
      phone: bill.phone ?? '',
    },
  };
}

export function linkOf(
  facts: ChargeFacts,
  ways: Pick<LinkContent, 'returnUrl' | 'cancelUrl'>,
): LinkContent {
  const { invoiceId, description, amountMinor, currency, items, bill, recurring, saleHook } =
    commonOf(facts);
  const { buyer, installments } = facts.content;
  return {
    invoiceId,
    description,
    amountMinor,
    currency,
    items,
    buyer,
    ...(bill ? { bill } : {}),
    ...(recurring ? { recurring } : {}),
    ...(saleHook ? { saleHook } : {}),
    // An upper bound: the buyer chooses on the gateway's page.
    ...(recurring ? {} : { installmentsMax: installments }),
    ...ways,
  };
}

function commonOf({ invoiceId, amountMinor, content, hooks, ip }: ChargeFacts): Common {
  const { currency, description, installments, commissionBy, recurring, bill } = content;
  return {
    invoiceId,
    amountMinor,
    currency,
    description,
    installments,
    bill,
    items: content.items.map((item): OrderItem => ({
      ...item,
      priceMinor: BigInt(item.priceMinor),
    })),
    ...(commissionBy ? { commissionBy } : {}),
    ...(hooks.sale ? { saleHook: hooks.sale } : {}),
    ...(ip ? { ip } : {}),
    ...(recurring ? { recurring: { ...recurring, hook: hooks.recurring ?? '' } } : {}),
  };
}
