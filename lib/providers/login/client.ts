import 'server-only';
import { bindVerbs } from '../bound-verbs.ts';
import type { Bound } from '../bound-verbs.ts';
import { exchange } from '../transport.ts';
import type { Transport } from '../transport.ts';
import { createPaymentLink, getPaymentLink, listPaymentLinks, sendPaymentLink } from './links.ts';
import { listCurrencies, startLogin, verifyCode } from './sign-in.ts';

/** The calls of the login provider; each documents its own contract in its file. */
const VERBS = {
  startLogin,
  verifyCode,
  listCurrencies,
  createPaymentLink,
  sendPaymentLink,
  getPaymentLink,
  listPaymentLinks,
};
export type LoginClient = Bound<typeof VERBS>;

/**
 * The client for both steps of sign-in, the currencies and the payment links. Never throws for
 * network errors, never retries a request.
 */
export function createLoginClient(config: { baseUrl: string; transport?: Transport }): LoginClient {
  return bindVerbs(
    { base: config.baseUrl.replace(/\/+$/, ''), transport: config.transport ?? exchange },
    VERBS,
  );
}
