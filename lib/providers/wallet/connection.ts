import 'server-only';
import { isIP } from 'node:net';
import type { Exchange } from '../outcome.ts';
import type { Transport } from '../transport.ts';
import type { TokenSource } from '../token-source.ts';

/** Answers that are lists or receipts; answers about money keep the transport's small limit. */
export const LIST_MAX_BYTES = 4 * 1024 * 1024;

export type Question = {
  method?: 'GET' | 'POST';
  path: `/v1/${string}`;
  /** JSON text. */
  body?: string;
  locale?: 'tr' | 'en';
  /**
   * The person's own address (`contract` shows the header on every call); left out when nobody is
   * behind the call.
   */
  endUserIp?: string | null;
  answerMaxBytes?: number;
};

/** How money is sent: on whose behalf, and the last check before the first byte. */
export type Sending = { endUserIp: string | null; beforeWrite: () => boolean };

/**
 * The authorised connection to the wallet service: adds address, token and headers, and knows
 * nothing of what is said.
 */
export type Line = {
  /** For questions. A 401 is answered once with a fresh token; a second 401 is the answer. */
  ask(question: Question): Promise<Exchange>;
  /**
   * For money. One request, whatever happens: a 401 throws the token away and is handed up, the
   * caller decides about another try.
   */
  send(question: Question & { beforeWrite: () => boolean }): Promise<Exchange>;
};

export function createLine(config: {
  apiUrl: string;
  clientId: string;
  token: TokenSource;
  transport: Transport;
}): Line {
  const base = config.apiUrl.replace(/\/+$/, '');

  const once = async (question: Question & { beforeWrite?: () => boolean }): Promise<Exchange> => {
    const answer = await config.token.get();
    if (answer.kind === 'no_token') return { kind: 'not_sent', why: 'no_token' };
    const exchange = await config.transport({
      method: question.method ?? 'POST',
      url: base + question.path,
      headers: headers(question, config.clientId, answer.token),
      ...(question.body === undefined ? {} : { body: question.body }),
      ...(question.answerMaxBytes === undefined ? {} : { answerMaxBytes: question.answerMaxBytes }),
      ...(question.beforeWrite === undefined ? {} : { beforeWrite: question.beforeWrite }),
    });
    if (exchange.kind === 'heard' && exchange.status === 401) config.token.refused(answer.token);
    // A gateway's 5xx says nothing about the token; an answer of the service itself does.
    else if (exchange.kind === 'heard' && (exchange.status === 200 || exchange.status === 400))
      config.token.worked(answer.token);
    return exchange;
  };

  return {
    async ask(question) {
      const first = await once(question);
      return first.kind === 'heard' && first.status === 401 ? once(question) : first;
    },
    send: once,
  };
}

/** `x-client-id` is wanted by newer services (`published-weak`) and ignored by the others. */
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
