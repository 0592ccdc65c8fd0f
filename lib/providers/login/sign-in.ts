import 'server-only';
import { rawInteger } from '../json.ts';
import type { LoginLine } from './connection.ts';
import { codeSent, currencies, isCode, openAnswer, signedIn, success } from './wire.ts';
import type { LoginAnswer } from './wire.ts';
import type {
  ListCurrenciesOutcome,
  Locale,
  StartLoginOutcome,
  VerifyCodeOutcome,
} from './types.ts';

/** Short, because a person waits for the response. */
const DEADLINE_MS = 15_000;

/** `statuscode` per operation (`contract`): the same 1 means something else on the card gateway. */
const WRONG_CREDENTIALS = '46';
const WRONG_CODE = '1';

/**
 * Step one: a correct password makes the service send a code to the person's phone. Never retried:
 * each call sends a message.
 */
export async function startLogin(
  line: LoginLine,
  { email, password, locale }: { email: string; password: string; locale: Locale },
): Promise<StartLoginOutcome> {
  const answer = await post(line, '/api/corporatelogin', { email, password, app_lang: locale });
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
}

/** Step two. `userId` must come from our own row of step one, never from the browser. */
export async function verifyCode(
  line: LoginLine,
  { userId, code, locale }: { userId: string; code: string; locale: Locale },
): Promise<VerifyCodeOutcome> {
  const answer = await post(line, '/api/verifysms', {
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
}

/** The currencies in which the person's merchant may make a payment link. */
export async function listCurrencies(
  line: LoginLine,
  token: string,
): Promise<ListCurrenciesOutcome> {
  const exchange = await line.transport({
    method: 'GET',
    url: `${line.base}/api/dpl/create`,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    deadlineMs: DEADLINE_MS,
  });
  if (exchange.kind === 'response' && exchange.status === 401) return { kind: 'unauthorized' };
  const read = success(openAnswer(exchange), currencies);
  return read.ok
    ? { kind: 'listed', currencies: read.value.currencies }
    : { kind: 'unavailable', why: read.why };
}

async function post(
  { base, transport }: LoginLine,
  path: string,
  body: object,
): Promise<LoginAnswer> {
  return openAnswer(
    await transport({
      method: 'POST',
      url: base + path,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      deadlineMs: DEADLINE_MS,
    }),
  );
}
