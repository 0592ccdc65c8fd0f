/**
 * The merchant login service's data in our own names. Ids are exact text. `why` is a short id,
 * never a text for people.
 */

export type LoginUser = {
  id: string;
  /** The display name; first and last name joined when the service gives none. */
  name: string;
  firstName: string | null;
  lastName: string | null;
  email: string | null;
  /** 2 is a merchant user (`published-weak`). */
  userType: string | null;
  /** 1 is active (`published-weak`). */
  accountStatus: string | null;
};

export type LoginMerchant = { id: string; merchantKey: string; siteUrl: string | null };

export type Locale = 'tr' | 'en';

export type StartLoginOutcome =
  | { kind: 'code_sent'; userId: string; user: LoginUser; merchantKeys: string[] }
  | { kind: 'wrong_credentials' }
  | { kind: 'unavailable'; why: string };

export type VerifyCodeOutcome =
  | { kind: 'signed_in'; token: string; user: LoginUser; merchants: LoginMerchant[] }
  | { kind: 'wrong_code' }
  | { kind: 'unavailable'; why: string };

export type LoginCurrency = {
  id: string;
  name: string;
  symbol: string;
  code: string;
  isoCode: string;
};

export type ListCurrenciesOutcome =
  | { kind: 'listed'; currencies: LoginCurrency[] }
  | { kind: 'unauthorized' }
  | { kind: 'unavailable'; why: string };

/** Whether a link is paid once, or any number of times. */
export type LinkUse = 'single' | 'multi';

/** The content of a payment link. The amount is a positive bigint of minor units. */
export type PaymentLinkContent = {
  amountMinor: bigint;
  currency: 'TRY' | 'USD' | 'EUR';
  /** The payer may type another amount. */
  payerSetsAmount: boolean;
  use: LinkUse;
  product: string;
  description: string | null;
  photo: { bytes: Uint8Array<ArrayBuffer>; type: 'image/jpeg' | 'image/png' } | null;
};

export type LinkStatus = 'active' | 'expired' | 'failed' | 'unknown';

/** Counts, dates and the photo's path are text as the service wrote them. */
export type PaymentLink = {
  id: string;
  token: string;
  /** The amount of the link; null when the payer names it. */
  amountMinor: bigint | null;
  currency: string;
  payerSetsAmount: boolean | null;
  use: LinkUse | 'unknown';
  status: LinkStatus;
  product: string | null;
  description: string | null;
  usesMax: string | null;
  uses: string | null;
  expiresOn: string | null;
  expiresAt: string | null;
  photo: string | null;
  merchantId: string | null;
  createdBy: string | null;
};

/** `address` is where the payer pays; untrusted, show it only as text. */
export type SentLink = { link: PaymentLink; address: string };

/** `index` counts from 0; `rowCount` is the service's total. */
export type LinkPage = {
  rows: PaymentLink[];
  index: number;
  size: number;
  pageCount: number;
  rowCount: number;
};

/** `unavailable`: unknown; the request may have been carried out. */
export type LinkAnswer<T> =
  | { kind: 'answered'; value: T }
  | { kind: 'not_found' }
  | { kind: 'refused'; code: string }
  | { kind: 'unauthorized' }
  | { kind: 'unavailable'; why: string };
