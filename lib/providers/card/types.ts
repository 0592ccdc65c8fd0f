/**
 * The card gateway in our own words. Amounts are bigint minor units (TRY, USD and EUR have two
 * decimals), ids are exact text, moments are the gateway's own text (Turkish local time without a
 * zone, `published-weak`). `raw` is the body as heard without card data, kept as evidence; `why` is
 * a short id, never a text for people.
 */
import type { NotSentWhy, UnclearWhy } from '../outcome.ts';
import type { ChargeState } from './codes.ts';

/** `is_3d` (`contract`): which ways to pay the merchant's contract with the gateway allows. */
export type PaymentMode = 'non_secure' | 'choice' | 'three_d' | 'branded' | 'unknown';

/** How far card data may come: `CARD_ENTRY`. */
export type CardEntry = 'off' | '3d' | 'all';

/** Programs of the contract's list. */
export type CardProgram =
  | 'WORLD'
  | 'BONUS'
  | 'MAXIMUM'
  | 'BANKKART_COMBO'
  | 'PARAF'
  | 'AXESS'
  | 'ADVANT'
  | 'CARD_FNS';

export type OrderItem = { name: string; description: string; priceMinor: bigint; quantity: number };

export type Billing = {
  address1?: string;
  address2?: string;
  city?: string;
  postcode?: string;
  state?: string;
  country?: string;
  email?: string;
  phone?: string;
};

/**
 * A charge that repeats: `count` times in all, every `interval` days, months or years. `hook` is a
 * key registered with the gateway.
 */
export type Recurring = {
  count: number;
  cycle: 'day' | 'month' | 'year';
  interval: number;
  hook: string;
};

/**
 * What every order says. The amount is the exact sum of price times quantity of the items.
 * `installments` 1 is a single payment.
 */
export type Order = {
  invoiceId: string;
  description: string;
  amountMinor: bigint;
  currency: string;
  installments: number;
  items: readonly OrderItem[];
  bill?: Billing;
  recurring?: Recurring;
  /** A sale web hook key registered with the gateway. */
  saleHook?: string;
  /** The buyer's address on the network. */
  ip?: string;
  /** Who pays the commission (`published`). */
  commissionBy?: 'merchant' | 'user';
  /** Free text that the gateway keeps (`published-weak`). */
  metadata?: string;
};

/** An order for a card that is typed in. */
export type CardOrder = Order & {
  buyer: { name: string; surname: string };
  /** Pre-authorization: the amount is held and taken later, within 20 days. */
  hold?: boolean;
  cardProgram?: CardProgram;
};

/**
 * An order for a card that the gateway keeps. `customer.number` is the merchant's own whole number
 * for the customer.
 */
export type SavedCardOrder = Order & {
  cardToken: string;
  customer: { number: string; email: string; phone: string; name: string };
  cardProgram?: CardProgram;
};

/** What a form adds that the browser posts by itself. */
export type FormWays = {
  returnUrl: string;
  cancelUrl: string;
  /** How the browser comes back (`published`); GET is the contract's. */
  backBy?: 'GET' | 'POST';
  /**
   * 'merchant': the bank's step only verifies the card, and `completePayment` has to follow within
   * 15 minutes (`published`).
   */
  completedBy?: 'app' | 'merchant';
  /** Of an agriculture card, as `getpos` allows it (`contract`). */
  agriculture?: { maturityPeriod: number; paymentFrequency: number };
};

/**
 * A form for the browser to post by itself, never by script (`contract`). `fields` are hidden ones;
 * `cardFields` are the names of those that the person fills in: they go from the browser to the
 * gateway and never to us.
 */
export type BrowserForm = {
  action: string;
  method: 'POST';
  fields: [name: string, value: string][];
  cardFields: readonly string[];
};

/** What a read of an order is compared with. */
export type ExpectedCharge = { invoiceId: string; amountMinor: bigint };

/** A question about an order whose amount nobody here knows yet: the record's own is taken. */
export type AskedCharge = { invoiceId: string; amountMinor: bigint | null };

export type RefundRow = {
  refundId: string;
  amountMinor: bigint;
  at: string | null;
  status: string | null;
};

/** The gateway's own record of an order: the only witness that ends a card payment. */
export type ChargeRecord = {
  state: ChargeState;
  invoiceId: string;
  orderId: string | null;
  transactionId: string | null;
  /**
   * What was ordered, and never another amount than ours; null in a pending record that names none.
   */
  amountMinor: bigint | null;
  /**
   * What was charged or is held, when the record says so: with commission, or after a partial
   * capture, not the same.
   */
  chargedMinor: bigint | null;
  /** All refunds together; null when the record does not say. */
  refundedMinor: bigint | null;
  /**
   * Each refund with our own id of it, as far as the record lists them (row shape `assumed`): to
   * find one whose answer went unheard.
   */
  refunds: RefundRow[];
  /** First six and last four digits at most. */
  card: string | null;
  /** The words for a failure, as the gateway or the bank wrote them: shown, never interpreted. */
  reason: string | null;
  settlesOn: string | null;
  recurring: {
    id: string | null;
    planCode: string;
    nextAt: string | null;
    status: string | null;
  } | null;
};

/** The answer to "what became of this invoice?". */
export type RecordOutcome = { raw: string | null } & (
  | ({ kind: 'found' } & ChargeRecord)
  | { kind: 'not_found' }
  | { kind: 'no_answer'; why: string }
);

/** What every answer about money brings with it. */
export type Said = { raw: string | null; code: string | null; message: string | null };

/**
 * The ways in which a request about money ends without having been approved. `refused` is said of
 * this request alone; `look` proves nothing but that the record has to be read.
 */
export type NotApproved =
  | { kind: 'not_sent'; why: NotSentWhy }
  | { kind: 'unauthorized' }
  | { kind: 'refused'; code: string }
  | { kind: 'pending' }
  | { kind: 'look'; code: string }
  | { kind: 'unclear'; why: UnclearWhy };

/** What an answer to a payment is compared with. */
export type ExpectedPayment = ExpectedCharge & { currency: string; hold: boolean };

/**
 * The answer to a payment. `approved` needs success, our own invoice and amount, and a hash key
 * that agrees; even then the record is read before anything is called final (`contract`). `held`:
 * blocked on the card, not taken.
 */
export type PaymentOutcome = Said &
  (
    | NotApproved
    | {
        kind: 'approved';
        held: boolean;
        orderId: string;
        card: string | null;
        authCode: string | null;
      }
  );

/** The answer to `payment/complete`: approved, or called off. */
export type CompletionOutcome = PaymentOutcome | (Said & { kind: 'called_off' });

/** The answer to a capture or a release of what is held. */
export type ConfirmOutcome = Said & (NotApproved | { kind: 'confirmed'; orderId: string | null });

/** The answer to a refund. `pending` was taken down for people to do by hand (101). */
export type RefundOutcome = Said &
  (NotApproved | { kind: 'refunded'; orderId: string | null; refundNumber: string | null });

/**
 * What the browser brought back from the bank's step: written by whoever holds the address, so it
 * is believed in nothing. It finds an order and makes us read its record. `verified`: the card was
 * verified and nothing is taken yet (`completePayment`).
 */
export type CardReturn = {
  hint: 'succeeded' | 'verified' | 'failed' | 'unknown';
  invoiceId: string | null;
  orderId: string | null;
  code: string | null;
  message: string | null;
  hashKey: string | null;
};
