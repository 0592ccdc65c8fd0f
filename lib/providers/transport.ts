import 'server-only';
import * as http from 'node:http';
import * as https from 'node:https';
import type { Exchange, NotSentWhy, UnclearWhy } from './outcome.ts';

/** The time for connecting, sending and receiving the whole response together. */
const DEADLINE_MS = 30_000;
/**
 * The time for DNS, TCP and TLS. A timeout here proves that nothing was sent, so it may be shorter
 * than the whole.
 */
const CONNECT_DEADLINE_MS = 10_000;
/**
 * A response about money is small; a larger one is faulty or malicious. Calls for lists and
 * receipts raise the limit explicitly.
 */
const ANSWER_MAX_BYTES = 64 * 1024;

export type ProviderRequest = {
  method: 'GET' | 'POST';
  url: string;
  headers?: Record<string, string>;
  body?: string;
  /** A binary body (a form with a picture), in place of `body`. */
  bytes?: Uint8Array;
  /** Total time, 30 s by default. */
  deadlineMs?: number;
  /** DNS, TCP and TLS, 10 s by default. */
  connectDeadlineMs?: number;
  /** Largest response in bytes, 64 KiB by default. */
  answerMaxBytes?: number;
  /**
   * Called once, when the connection is open and nothing is written yet: the last chance to stop a
   * stale worker (its lease is over, its process was suspended). False, or throwing, closes the
   * connection: `not_sent`, `held_back`.
   */
  beforeWrite?: () => boolean;
};

export type Transport = (request: ProviderRequest) => Promise<Exchange>;

/**
 * One request, one connection, one response. Never throws, never retries, follows no redirect (a
 * 3xx is returned as it is), uses no proxy of the environment and no kept-alive socket: a reused
 * socket that closes cannot tell whether the request arrived.
 *
 * Returns `not_sent` only if not one byte of the request was written; from the first byte on, every
 * fault is `unclear`.
 */
export const exchange: Transport = (request) =>
  new Promise((resolve) => {
    const startedAt = performance.now();
    const deadlineMs = request.deadlineMs ?? DEADLINE_MS;
    const connectDeadlineMs = Math.min(
      request.connectDeadlineMs ?? CONNECT_DEADLINE_MS,
      deadlineMs,
    );
    let phase: Phase = 'connect';
    let settled = false;
    let call: http.ClientRequest | undefined;

    const settle = (answer: Exchange): void => {
      if (settled) return;
      settled = true;
      clearTimeout(connectTimer);
      clearTimeout(timer);
      call?.destroy();
      resolve(answer);
    };
    const fail = (fault: Fault): void => settle(classifyFault(phase, fault));
    const connectTimer = setTimeout(
      () => phase !== 'sent' && fail({ late: true }),
      connectDeadlineMs,
    );
    const timer = setTimeout(() => fail({ late: true }), deadlineMs);

    try {
      call = open(request);
    } catch {
      return settle({ kind: 'not_sent', why: 'unsendable' });
    }
    call.on('error', (error) => fail({ error }));
    call.on('response', (response) => {
      receive(response, request.answerMaxBytes ?? ANSWER_MAX_BYTES).then(settle, (error: unknown) =>
        fail({ error: error as NodeJS.ErrnoException }),
      );
    });
    call.on('upgrade', (_response, socket) => {
      socket.destroy();
      settle({ kind: 'unclear', why: 'garbage' });
    });
    call.on('socket', (socket) => {
      socket.once('connect', () => (phase = 'handshake'));
      socket.once(call?.protocol === 'https:' ? 'secureConnect' : 'connect', () => {
        if (settled) return;
        // A process that was suspended and continued may come here before its timers fire: decide
        // by the clock, not by the order of events.
        if (performance.now() - startedAt >= deadlineMs) return fail({ late: true });
        if (!mayWrite(request)) return settle({ kind: 'not_sent', why: 'held_back' });
        phase = 'sent';
        call?.end(request.bytes ?? request.body);
      });
    });
  });

type Phase = 'connect' | 'handshake' | 'sent';
type Fault = { late: true } | { error: NodeJS.ErrnoException };

function mayWrite(request: ProviderRequest): boolean {
  try {
    return request.beforeWrite?.() ?? true;
  } catch {
    return false;
  }
}

/**
 * Prepares the call without writing: Node sends the head only when `end` is called. Throws when the
 * request cannot be formed.
 */
function open(request: ProviderRequest): http.ClientRequest {
  const url = new URL(request.url);
  const headers: Record<string, string | number> = {
    accept: 'application/json',
    'accept-encoding': 'identity',
    ...request.headers,
  };
  const body = request.bytes ?? request.body;
  if (body !== undefined) headers['content-length'] = Buffer.byteLength(body);
  const options = { method: request.method, headers };
  if (url.protocol === 'https:') {
    // Explicit, so that NODE_TLS_REJECT_UNAUTHORIZED in the environment cannot switch it off.
    const agent = new https.Agent({ keepAlive: false, rejectUnauthorized: true });
    return https.request(url, { ...options, agent, rejectUnauthorized: true });
  }
  if (url.protocol === 'http:')
    return http.request(url, { ...options, agent: new http.Agent({ keepAlive: false }) });
  throw new TypeError('the address of a provider is http or https');
}

/**
 * Reads the whole response within the limit. Rejects with the stream's error when it is cut off.
 */
function receive(response: http.IncomingMessage, maxBytes: number): Promise<Exchange> {
  return new Promise((resolve, reject) => {
    const encoding = response.headers['content-encoding'];
    if (encoding !== undefined && encoding !== 'identity')
      return resolve({ kind: 'unclear', why: 'garbage' });
    if (Number(response.headers['content-length'] ?? 0) > maxBytes)
      return resolve({ kind: 'unclear', why: 'too_large' });
    const parts: Buffer[] = [];
    let size = 0;
    response.on('data', (part: Buffer) => {
      size += part.length;
      if (size > maxBytes) return resolve({ kind: 'unclear', why: 'too_large' });
      parts.push(part);
    });
    response.on('error', (error: NodeJS.ErrnoException) =>
      isGarbage(error) ? reject(error) : resolve({ kind: 'unclear', why: 'truncated' }),
    );
    response.on('end', () => {
      const body = utf8(Buffer.concat(parts));
      if (body === null) return resolve({ kind: 'unclear', why: 'garbage' });
      resolve({
        kind: 'response',
        status: response.statusCode ?? 0,
        body,
        contentType: response.headers['content-type'] ?? '',
        ...retryAfter(response),
      });
    });
  });
}

/**
 * The Retry-After time, only when it is in seconds: a date would need the provider's clock, which
 * may differ from ours.
 */
function retryAfter(response: http.IncomingMessage): { retryAfterMs?: number } {
  const seconds =
    response.statusCode === 429
      ? /^\d{1,6}$/.exec(response.headers['retry-after'] ?? '')?.[0]
      : undefined;
  return seconds === undefined ? {} : { retryAfterMs: Number(seconds) * 1_000 };
}

/**
 * The text of the bytes; null when they are not UTF-8: guessing a charset could change a name or an
 * id.
 */
function utf8(bytes: Buffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

function classifyFault(phase: Phase, fault: Fault): Exchange {
  if (phase === 'sent')
    return { kind: 'unclear', why: 'late' in fault ? 'timeout' : whyUnclear(fault.error) };
  return {
    kind: 'not_sent',
    why: 'late' in fault ? 'connect_timeout' : whyNotSent(phase, fault.error),
  };
}

function whyNotSent(phase: Phase, error: NodeJS.ErrnoException): NotSentWhy {
  if (phase === 'handshake') return 'tls';
  if (error.syscall === 'getaddrinfo' || error.code === 'ENOTFOUND' || error.code === 'EAI_AGAIN')
    return 'dns';
  if (error.code === 'ECONNREFUSED') return 'refused';
  if (error.code === 'ETIMEDOUT') return 'connect_timeout';
  return 'unreachable';
}

function whyUnclear(error: NodeJS.ErrnoException): UnclearWhy {
  if (isGarbage(error)) return 'garbage';
  // Node uses ECONNRESET for an orderly close too; only the message tells the two apart. For money
  // both mean the same.
  if (error.message === 'socket hang up') return 'closed';
  return 'reset';
}

function isGarbage(error: NodeJS.ErrnoException): boolean {
  return error.code?.startsWith('HPE_') ?? false;
}
