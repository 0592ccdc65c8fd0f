/** The merchant login service in our own words. Ids are exact text. `why` is a short id, never a text for people. */

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

export type LoginCurrency = { id: string; name: string; symbol: string; code: string; isoCode: string };

export type ListCurrenciesOutcome =
  | { kind: 'listed'; currencies: LoginCurrency[] }
  | { kind: 'unauthorized' }
  | { kind: 'unavailable'; why: string };

export type LoginClient = {
  /** Step one: a right password sends a code to the person's phone. Never retried: each call sends a message. */
  startLogin(input: { email: string; password: string; locale: Locale }): Promise<StartLoginOutcome>;
  /** Step two. `userId` must come from our own row of step one, never from the browser. */
  verifyCode(input: { userId: string; code: string; locale: Locale }): Promise<VerifyCodeOutcome>;
  listCurrencies(token: string): Promise<ListCurrenciesOutcome>;
};
