/**
 * The card gateway's data in our own names. Amounts are bigint minor units (TRY, USD and EUR have
 * two decimals), ids are exact text, times are the gateway's own text (Turkish local time without a
 * zone, `published-weak`). `raw` is the received body without card data, kept as evidence; `why` is
 * a short id, never a text for people.
 */
import type { NotSentWhy, UnclearWhy } from '../outcome.ts';
import type { ChargeState } from './codes.ts';

/** `is_3d` (`contract`): the payment modes that the merchant's contract with the gateway allows. */
export type PaymentMode = 'non_secure' | 'choice' | 'three_d' | 'branded' | 'unknown';

/** Where card data is allowed: `CARD_ENTRY`. */
export type CardEntry = 'off' | '3d' | 'all';

/** Card programs of the contract's list. */
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
 * A recurring charge: `count` times in total, every `interval` days, months or years. `hook` is a
 * webhook key registered with the gateway.
 */
export type Recurring = {
  count: number;
  cycle: 'day' | 'month' | 'year';
  interval: number;
  hook: string;
};

/**
 * The common fields of every order. The amount is the exact sum of price times quantity of the
 * items. `installments` 1 is a single payment.
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
  /** A sale webhook key registered with the gateway. */
  saleHook?: string;
  /** The buyer's IP address. */
  ip?: string;
  /** The party that pays the commission (`published`). */
  commissionBy?: 'merchant' | 'user';
  /** Free text that the gateway stores (`published-weak`). */
  metadata?: string;
};

/** An order for a typed card. */
export type CardOrder = Order & {
  buyer: { name: string; surname: string };
  /** Pre-authorization: the amount is authorized now and captured within 20 days. */
  hold?: boolean;
  cardProgram?: CardProgram;
};

/**
 * An order for a saved card. `customer.number` is the merchant's own whole number for the customer.
 */
export type SavedCardOrder = Order & {
  cardToken: string;
  customer: { number: string; email: string; phone: string; name: string };
  cardProgram?: CardProgram;
};

/** Additional fields of an order whose form the browser posts. */
export type FormWays = {
  returnUrl: string;
  cancelUrl: string;
  /** HTTP method of the return (`published`); GET is the contract's. */
  backBy?: 'GET' | 'POST';
  /**
   * 'merchant': the bank's step only verifies the card, and `completePayment` has to follow within
   * 15 minutes (`published`).
   */
  completedBy?: 'app' | 'merchant';
  /** The terms of an agriculture card, as `getpos` allows them (`contract`). */
  agriculture?: { maturityPeriod: number; paymentFrequency: number };
};

/**
 * A form for the browser to post by itself, never by script (`contract`). `fields` are hidden
 * inputs; `cardFields` are the names of the inputs that the cardholder fills in: the browser sends
 * them to the gateway and never to us.
 */
export type BrowserForm = {
  action: string;
  method: 'POST';
  fields: [name: string, value: string][];
  cardFields: readonly string[];
};

/** The order that a read must match. */
export type ExpectedCharge = { invoiceId: string; amountMinor: bigint };

/** As `ExpectedCharge`; with null, the amount is unknown and the record's own is taken. */
export type AskedCharge = { invoiceId: string; amountMinor: bigint | null };

export type RefundRow = {
  refundId: string;
  amountMinor: bigint;
  at: string | null;
  status: string | null;
};

/** The gateway's own record of an order: the only source that makes a card payment final. */
export type ChargeRecord = {
  state: ChargeState;
  invoiceId: string;
  orderId: string | null;
  transactionId: string | null;
  /**
   * The ordered amount, always equal to ours; null in a pending record that names none.
   */
  amountMinor: bigint | null;
  /**
   * The charged or authorized amount, when the record names it. It differs from the ordered amount
   * with commission, or after a partial capture.
   */
  chargedMinor: bigint | null;
  /** Sum of all refunds; null when the record does not name it. */
  refundedMinor: bigint | null;
  /**
   * Each refund with our own id, as far as the record lists them (row shape `assumed`): finds a
   * refund whose response was lost.
   */
  refunds: RefundRow[];
  /** First six and last four digits at most. */
  card: string | null;
  /** The gateway's or the bank's text for a failure: shown, never interpreted. */
  reason: string | null;
  settlesOn: string | null;
  /**
   * The number of installments in which the buyer pays, 1 for a single payment; null when the
   * record does not name it.
   */
  installments: number | null;
  /** What the gateway keeps of the merchant's money; null when the record does not name it. */
  commissionMinor: bigint | null;
  /** The commission that the buyer pays; null when the record does not name it. */
  buyerCommissionMinor: bigint | null;
  recurring: {
    id: string | null;
    planCode: string;
    nextAt: string | null;
    status: string | null;
  } | null;
};

/** The result of reading an invoice's record. */
export type RecordOutcome = { raw: string | null } & (
  | ({ kind: 'found' } & ChargeRecord)
  | { kind: 'not_found' }
  | { kind: 'no_answer'; why: string }
);

/** Common fields of every response about money. */
export type ResponseDetail = { raw: string | null; code: string | null; message: string | null };

/**
 * How a request about money ends without approval. `refused` applies to this request only; `look`
 * proves nothing except that the record has to be read.
 */
export type NotApproved =
  | { kind: 'not_sent'; why: NotSentWhy }
  | { kind: 'unauthorized' }
  | { kind: 'refused'; code: string }
  | { kind: 'pending' }
  | { kind: 'look'; code: string }
  | { kind: 'unclear'; why: UnclearWhy };

/** The order that the response to a payment must match. */
export type ExpectedPayment = ExpectedCharge & { currency: string; hold: boolean };

/**
 * The result of a payment request. `approved` needs success, our own invoice and amount, and a
 * matching hash key; even then the record is read before the payment is final (`contract`). `held`:
 * authorized on the card, not captured.
 */
export type PaymentOutcome = ResponseDetail &
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

/** The result of `payment/complete`: approved, or cancelled (`called_off`). */
export type CompletionOutcome = PaymentOutcome | (ResponseDetail & { kind: 'called_off' });

/** The result of a capture or a void. */
export type ConfirmOutcome = ResponseDetail &
  (NotApproved | { kind: 'confirmed'; orderId: string | null });

/** The result of a refund. `pending`: queued for manual processing (101). */
export type RefundOutcome = ResponseDetail &
  (NotApproved | { kind: 'refunded'; orderId: string | null; refundNumber: string | null });

/**
 * The parameters with which the browser returns from the bank's step. Anyone with the address can
 * write them, so they are untrusted: they find an order and make us read its record. `verified`:
 * the card was verified and not charged yet (`completePayment`).
 */
export type CardReturn = {
  hint: 'succeeded' | 'verified' | 'failed' | 'unknown';
  invoiceId: string | null;
  orderId: string | null;
  code: string | null;
  message: string | null;
  hashKey: string | null;
};
