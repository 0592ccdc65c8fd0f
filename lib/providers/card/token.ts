import 'server-only';
import * as z from 'zod';
import type { Exchange, Reply } from '../outcome.ts';
import { createTokenSource } from '../token-source.ts';
import type { Grant, TokenSource } from '../token-source.ts';
import type { Transport } from '../transport.ts';
import { digitsOrNull, openEnvelope } from './wire.ts';
import type { PaymentMode } from './types.ts';

const PATH = '/ccpayment/api/token';
const DEADLINE_MS = 10_000;
const SUCCESS = '100';
/**
 * A token lives two hours (`contract`). `expires_at` names no time zone and is ignored: the
 * lifetime is counted from receipt and ends some minutes early. A 401 overrides it in any case.
 */
const USABLE_MS = (120 - 5) * 60_000;

export type CardTokenConfig = {
  baseUrl: string;
  appId: string;
  appSecret: string;
  lang: 'tr' | 'en';
  transport: Transport;
  now: () => number;
};

/** The token, and the configured payment modes that came with it. */
export type CardToken = TokenSource & { mode(): Promise<Reply<PaymentMode>> };

const grant = z.object({ token: z.string().regex(/^[\x21-\x7e]{1,8192}$/), is_3d: digitsOrNull });

/**
 * `contract`: POST {base_url}/ccpayment/api/token with app_id and app_secret. A failure has HTTP
 * 200 and a code that is not 100 (`published`).
 */
export function createCardToken(config: CardTokenConfig): CardToken {
  let mode: PaymentMode = 'unknown';

  const read = (response: Exchange): Grant | null => {
    const opened = openEnvelope(response);
    if (opened.kind !== 'answer' || opened.http !== 200 || opened.code !== SUCCESS) return null;
    const granted = grant.safeParse(opened.body['data']);
    if (!granted.success) return null;
    mode = paymentMode(granted.data.is_3d);
    return { token: granted.data.token, usableMs: USABLE_MS };
  };

  const source = createTokenSource({
    request: () => requestToken(config),
    read,
    isRefusal,
    now: config.now,
  });
  return {
    ...source,
    async mode() {
      const answer = await source.get();
      return answer.kind === 'token'
        ? { kind: 'answered', value: mode }
        : { kind: 'no_answer', why: answer.why };
    },
  };
}

function requestToken(config: CardTokenConfig): Promise<Exchange> {
  return config.transport({
    method: 'POST',
    url: config.baseUrl + PATH,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      app_id: config.appId,
      app_secret: config.appSecret,
      app_lang: config.lang,
    }),
    deadlineMs: DEADLINE_MS,
  });
}

function isRefusal(response: Exchange): boolean {
  const opened = openEnvelope(response);
  return opened.kind === 'unauthorized' || (opened.kind === 'answer' && opened.code !== SUCCESS);
}

/** `is_3d` (`contract`). */
function paymentMode(text: string | null): PaymentMode {
  switch (text) {
    case '0':
      return 'non_secure';
    case '1':
      return 'choice';
    case '2':
      return 'three_d';
    case '4':
      return 'branded';
    default:
      return 'unknown';
  }
}
