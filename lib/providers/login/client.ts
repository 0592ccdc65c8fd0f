import 'server-only';
import { rawInteger } from '../json.ts';
import { exchange } from '../transport.ts';
import type { Transport } from '../transport.ts';
import { createPaymentLink, getPaymentLink, listPaymentLinks, sendPaymentLink } from './links.ts';
import { codeSent, currencies, isCode, openAnswer, signedIn, success } from './wire.ts';
import type { LoginAnswer } from './wire.ts';
import type {
  ListCurrenciesOutcome,
  LoginClient,
  StartLoginOutcome,
  VerifyCodeOutcome,
} from './types.ts';

/** Short, because a person waits for the response. */
const DEADLINE_MS = 15_000;

/** `statuscode` per operation (`contract`): the same 1 means something else on the card gateway. */
const WRONG_CREDENTIALS = '46';
const WRONG_CODE = '1';

/**
 * The client for both steps of sign-in, the currencies and the payment links. Never throws for
 * network errors, never retries a request.
 */
export function createLoginClient(config: { baseUrl: string; transport?: Transport }): LoginClient {
  const transport = config.transport ?? exchange;
  const base = config.baseUrl.replace(/\/+$/, '');
  const line = { base, transport };

  const post = async (path: string, body: object): Promise<LoginAnswer> =>
    openAnswer(
      await transport({
        method: 'POST',
        url: base + path,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
        deadlineMs: DEADLINE_MS,
      }),
    );

  return {
    async startLogin({ email, password, locale }): Promise<StartLoginOutcome> {
      const answer = await post('/api/corporatelogin', { email, password, app_lang: locale });
      if (isCode(answer, WRONG_CREDENTIALS)) return { kind: 'wrong_credentials' };
      const read = success(answer, codeSent);
      if (!read.ok) return { kind: 'unavailable', why: read.why };
      const { user, merchants } = read.value.user;
      return {
        kind: 'code_sent',
        userId: user.id,
        user,
        merchantKeys: merchants.map((merchant) => merchant.merchantKey),
      };
    },

    async verifyCode({ userId, code, locale }): Promise<VerifyCodeOutcome> {
      const answer = await post('/api/verifysms', {
        OTP: code,
        user_id: rawInteger(userId),
        app_lang: locale,
      });
      if (isCode(answer, WRONG_CODE)) return { kind: 'wrong_code' };
      const read = success(answer, signedIn);
      if (!read.ok) return { kind: 'unavailable', why: read.why };
      // A token of another user must never open this person's session.
      if (read.value.user.user.id !== userId) return { kind: 'unavailable', why: 'mismatch' };
      return {
        kind: 'signed_in',
        token: read.value.token,
        user: read.value.user.user,
        merchants: read.value.user.merchants,
      };
    },

    async listCurrencies(token): Promise<ListCurrenciesOutcome> {
      const heard = await transport({
        method: 'GET',
        url: `${base}/api/dpl/create`,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        deadlineMs: DEADLINE_MS,
      });
      if (heard.kind === 'heard' && heard.status === 401) return { kind: 'unauthorized' };
      const read = success(openAnswer(heard), currencies);
      return read.ok
        ? { kind: 'listed', currencies: read.value.currencies }
        : { kind: 'unavailable', why: read.why };
    },

    createPaymentLink: (token, content) => createPaymentLink(line, token, content),
    sendPaymentLink: (token, link, to) => sendPaymentLink(line, token, link, to),
    getPaymentLink: (token, id) => getPaymentLink(line, token, id),
    listPaymentLinks: (token, which, page) => listPaymentLinks(line, token, which, page),
  };
}
