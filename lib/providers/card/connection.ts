import 'server-only';
import type { Exchange, Reply } from '../outcome.ts';
import type { Transport } from '../transport.ts';
import type { CardCodes } from './codes.ts';
import { hashKeyAgrees, hashKeyHolds, makeHashKey } from './hash-key.ts';
import type { ExpectedPart } from './hash-key.ts';
import type { CardToken } from './token.ts';
import { fieldTexts } from './wire.ts';
import { withoutCardData } from './without-card-data.ts';
import type { CardEntry, PaymentMode } from './types.ts';

/** Limit for lists; responses about money keep the transport's small limit. */
export const LIST_MAX_BYTES = 4 * 1024 * 1024;

export type Question = {
  method?: 'GET' | 'POST';
  path: `/ccpayment/${string}`;
  /**
   * The fields of the JSON body in this order, or of a GET's query. `app_lang` is added. Write
   * amounts with `rawAmount`.
   */
  fields: Record<string, unknown>;
  /** Texts to redact from the response: the card number that this request carries. */
  secret?: readonly string[];
  answerMaxBytes?: number;
};

/**
 * The authenticated connection to the card gateway: adds address, token and headers, and does not
 * interpret contents.
 */
export type Line = {
  /**
   * Sends a request that moves no money. After a 401 the request is sent once more with a fresh
   * token; a second 401 is returned as the response.
   */
  ask(question: Question & { beforeWrite?: () => boolean }): Promise<Exchange>;
  /**
   * Sends a request that moves money, always once: a 401 discards the token and is returned, and
   * the caller decides about another attempt.
   */
  send(question: Question & { beforeWrite: () => boolean }): Promise<Exchange>;
  /** The address for a form that the browser posts. */
  addressOf(path: `/ccpayment/${string}`): string;
  /** The hash key of these fields, joined in this order. */
  hashKey(parts: readonly string[]): string;
  /** Whether a hash key of the gateway decrypts to exactly these parts. */
  agrees(hashKey: unknown, expected: readonly ExpectedPart[]): boolean;
  /** Whether a hash key of the gateway contains this part. */
  holds(hashKey: unknown, part: string): boolean;
  paymentMode(): Promise<Reply<PaymentMode>>;
  /**
   * The two fields by which some operations name the caller once more. A function, so that printing
   * a connection does not show them.
   */
  appFields(): { app_id: string; app_secret: string };
  readonly merchantKey: string;
  /** The vendor's prefix before `status` and `payment_method`. */
  readonly fieldPrefix: string;
  readonly codes: CardCodes;
  readonly entry: CardEntry;
  readonly lang: 'tr' | 'en';
};

export type LineConfig = {
  baseUrl: string;
  appId: string;
  appSecret: string;
  merchantKey: string;
  fieldPrefix: string;
  codes: CardCodes;
  entry: CardEntry;
  lang: 'tr' | 'en';
  token: CardToken;
  transport: Transport;
  onNoToken?: (() => void) | undefined;
};

export function createLine(config: LineConfig): Line {
  const { baseUrl, appId, appSecret, merchantKey, fieldPrefix, codes, entry, lang, token } = config;

  const once = async (question: Question & { beforeWrite?: () => boolean }): Promise<Exchange> => {
    const answer = await token.get();
    if (answer.kind === 'no_token') {
      config.onNoToken?.();
      return { kind: 'not_sent', why: 'no_token' };
    }
    const exchange = await config.transport({
      ...request(question, baseUrl, lang),
      headers: headers(answer.token),
    });
    if (exchange.kind !== 'response') return exchange;
    if (exchange.status === 401) token.refused(answer.token);
    // A 5xx may come from a proxy and proves nothing about the token; a response of the gateway
    // itself proves that the token was accepted.
    else if (exchange.status === 200 || exchange.status === 400 || exchange.status === 422)
      token.worked(answer.token);
    return {
      ...exchange,
      body: withoutCardData(exchange.body, [...(question.secret ?? []), appSecret]),
    };
  };

  return {
    async ask(question) {
      const first = await once(question);
      return first.kind === 'response' && first.status === 401 ? once(question) : first;
    },
    send: once,
    addressOf: (path) => baseUrl + path,
    hashKey: (parts) => makeHashKey(appSecret, parts),
    agrees: (hashKey, expected) => hashKeyAgrees(appSecret, hashKey, expected),
    holds: (hashKey, part) => hashKeyHolds(appSecret, hashKey, part),
    paymentMode: () => token.mode(),
    appFields: () => ({ app_id: appId, app_secret: appSecret }),
    merchantKey,
    fieldPrefix,
    codes,
    entry,
    lang,
  };
}

function request(
  question: Question & { beforeWrite?: () => boolean },
  baseUrl: string,
  lang: 'tr' | 'en',
) {
  const { method = 'POST', path, answerMaxBytes, beforeWrite } = question;
  const fields = { ...question.fields, app_lang: lang };
  const url = baseUrl + path;
  return {
    method,
    ...(method === 'GET'
      ? { url: `${url}?${new URLSearchParams(fieldTexts(fields)).toString()}` }
      : { url, body: JSON.stringify(fields) }),
    ...(answerMaxBytes === undefined ? {} : { answerMaxBytes }),
    ...(beforeWrite === undefined ? {} : { beforeWrite }),
  };
}

function headers(token: string): Record<string, string> {
  return { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
}
