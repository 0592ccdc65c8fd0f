import 'server-only';
import { isIP } from 'node:net';
import type { Exchange } from '../outcome.ts';
import type { Transport } from '../transport.ts';
import type { TokenSource } from '../token-source.ts';

/** Limit for lists and receipts; responses about money keep the transport's small limit. */
export const LIST_MAX_BYTES = 4 * 1024 * 1024;

export type Question = {
  method?: 'GET' | 'POST';
  path: `/v1/${string}`;
  /** JSON text. */
  body?: string;
  locale?: 'tr' | 'en';
  /**
   * The end user's own IP address (`contract` shows the header on every call); left out when no
   * person caused the call.
   */
  endUserIp?: string | null;
  answerMaxBytes?: number;
};

/**
 * What a request that sends money needs: the end user's IP address, and the last check before the
 * first byte.
 */
export type Sending = { endUserIp: string | null; beforeWrite: () => boolean };

/**
 * The authenticated connection to the wallet service: adds address, token and headers, and does not
 * interpret contents.
 */
export type Line = {
  /**
   * Sends a read. After a 401 the read is sent once more with a fresh token; a second 401 is
   * returned as the response.
   */
  ask(question: Question): Promise<Exchange>;
  /**
   * Sends a request that moves money or creates a wallet, always once: a 401 discards the token and
   * is returned, and the caller decides about another attempt.
   */
  send(question: Question & { beforeWrite: () => boolean }): Promise<Exchange>;
};

export function createLine(config: {
  apiUrl: string;
  clientId: string;
  token: TokenSource;
  transport: Transport;
  onNoToken?: (() => void) | undefined;
}): Line {
  const base = config.apiUrl.replace(/\/+$/, '');

  const once = async (question: Question & { beforeWrite?: () => boolean }): Promise<Exchange> => {
    const answer = await config.token.get();
    if (answer.kind === 'no_token') {
      config.onNoToken?.();
      return { kind: 'not_sent', why: 'no_token' };
    }
    const exchange = await config.transport({
      method: question.method ?? 'POST',
      url: base + question.path,
      headers: headers(question, config.clientId, answer.token),
      ...(question.body === undefined ? {} : { body: question.body }),
      ...(question.answerMaxBytes === undefined ? {} : { answerMaxBytes: question.answerMaxBytes }),
      ...(question.beforeWrite === undefined ? {} : { beforeWrite: question.beforeWrite }),
    });
    if (exchange.kind === 'response' && exchange.status === 401) config.token.refused(answer.token);
    // A 5xx may come from a proxy and proves nothing about the token; a response of the service
    // itself proves that the token was accepted.
    else if (exchange.kind === 'response' && (exchange.status === 200 || exchange.status === 400))
      config.token.worked(answer.token);
    return exchange;
  };

  return {
    async ask(question) {
      const first = await once(question);
      return first.kind === 'response' && first.status === 401 ? once(question) : first;
    },
    send: once,
  };
}

/** Newer services require `x-client-id` (`published-weak`); the others ignore it. */
function headers(question: Question, clientId: string, token: string): Record<string, string> {
  const made: Record<string, string> = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    'x-client-id': clientId,
  };
  if (question.locale) made['locale'] = question.locale;
  if (question.endUserIp && isIP(question.endUserIp) !== 0)
    made['x-tenant-end-user-ip'] = question.endUserIp;
  return made;
}
