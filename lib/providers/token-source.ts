import 'server-only';
import type { Exchange } from './outcome.ts';

/**
 * After this many failures in a row that reached, or may have reached, the service, it gets at most
 * one request per `REST_MS`: repeated failures could lock the account.
 */
const FAILURES_MAX = 3;
const REST_MS = 30_000;
/**
 * Valid tokens that an operation refuses (because of a missing right) are renewed at most this
 * often within `REST_MS`.
 */
const RENEWALS_MAX = 5;

export type TokenAnswer =
  | { kind: 'token'; token: string }
  | { kind: 'no_token'; why: 'refused' | 'unavailable' | 'resting' };

export type TokenSource = {
  /** The current token, or a new one. Concurrent callers share one request. Never throws. */
  get(): Promise<TokenAnswer>;
  /** The service accepted this token. */
  worked(token: string): void;
  /**
   * The service answered 401 to this token: discard it, unless a newer one has already replaced it.
   */
  refused(token: string): void;
};

/** A token from the service, and its remaining usable time. */
export type Grant = { token: string; usableMs: number };

type Held = { text: string; goodUntil: number; proven: boolean };

/**
 * The token of one provider, shared by all calls of this process. The token is kept in this closure
 * only, in no log, no error and no database. Its lifetime is counted from receipt on the monotonic
 * clock, because the provider's clock may differ from ours.
 *
 * A refused token that the service never accepted counts as a failure, so a service that issues
 * useless tokens is asked for a token as rarely as one that issues none. A token that the service
 * accepted elsewhere is renewed a few times and then no more until the end of `REST_MS`: while
 * reads succeed and every send gets a 401, sends must not request a token each.
 */
export function createTokenSource(config: {
  /** Sends one token request, without throwing. */
  request: () => Promise<Exchange>;
  /** Null when the response holds no usable token. */
  read: (response: Exchange) => Grant | null;
  /** Whether the service refused our credentials. */
  isRefusal: (response: Exchange) => boolean;
  now: () => number;
}): TokenSource {
  let held: Held | null = null;
  let pending: Promise<TokenAnswer> | null = null;
  let failures = 0;
  let lastTryAt = Number.NEGATIVE_INFINITY;
  let renewals: number[] = [];

  const rests = (now: number): boolean =>
    (failures >= FAILURES_MAX && now - lastTryAt < REST_MS) ||
    (renewals.length === RENEWALS_MAX && now - (renewals[0] ?? now) < REST_MS);

  const fetchToken = async (): Promise<TokenAnswer> => {
    lastTryAt = config.now();
    const response = await config.request();
    const read = config.read(response);
    if (read === null) {
      // A request that never reached the service cannot lock the account: the next call may request
      // a token at once.
      if (response.kind !== 'not_sent') failures++;
      return { kind: 'no_token', why: config.isRefusal(response) ? 'refused' : 'unavailable' };
    }
    held = { text: read.token, goodUntil: config.now() + read.usableMs, proven: false };
    return { kind: 'token', token: read.token };
  };

  return {
    get() {
      if (held && config.now() < held.goodUntil)
        return Promise.resolve({ kind: 'token', token: held.text });
      if (pending) return pending;
      if (rests(config.now())) return Promise.resolve({ kind: 'no_token', why: 'resting' });
      pending = fetchToken().finally(() => (pending = null));
      return pending;
    },
    worked(token) {
      if (held?.text !== token) return;
      held.proven = true;
      failures = 0;
    },
    refused(token) {
      if (held?.text !== token) return;
      if (!held.proven) failures++;
      renewals = [...renewals, config.now()].slice(-RENEWALS_MAX);
      held = null;
    },
  };
}
