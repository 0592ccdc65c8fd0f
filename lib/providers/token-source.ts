import 'server-only';
import type { Exchange } from './outcome.ts';

/**
 * After this many failures in a row, each heard by it or perhaps heard, the service is asked at
 * most once per `REST_MS`: no lockout storm.
 */
const FAILURES_MAX = 3;
const REST_MS = 30_000;
/**
 * Good tokens that are refused all the same (a right that one operation lacks) are renewed this
 * often within `REST_MS`, and then rest too.
 */
const RENEWALS_MAX = 5;

export type TokenAnswer =
  | { kind: 'token'; token: string }
  | { kind: 'no_token'; why: 'refused' | 'unavailable' | 'resting' };

export type TokenSource = {
  /** The token in hand, or a new one. Any number of callers cause one request. Never throws. */
  get(): Promise<TokenAnswer>;
  /** The service accepted this token. */
  worked(token: string): void;
  /**
   * The service answered 401 to this token: it is thrown away, unless a newer one has taken its
   * place already.
   */
  refused(token: string): void;
};

/** A token as a service gave it, and how long it may be used from now on. */
export type Grant = { token: string; usableMs: number };

type Held = { text: string; goodUntil: number; proven: boolean };

/**
 * The token of one provider, shared by all calls of this process. It lives in this closure only: it
 * is in no log, no error and no database. Its life is counted from receipt on the monotonic clock,
 * because the provider's clock is not ours.
 *
 * A token the service never accepted counts as a failure when it is refused, so a service that
 * hands out useless tokens is left alone like one that hands out none. One that it accepted
 * elsewhere is renewed a few times and then rests as well: while questions go well and every send
 * gets a 401, no send may cost a token.
 */
export function createTokenSource(config: {
  /** One request, without throwing. */
  request: () => Promise<Exchange>;
  /** Null when what was heard holds no token that can be used. */
  read: (heard: Exchange) => Grant | null;
  /** Whether it was our credentials that the service refused. */
  isRefusal: (heard: Exchange) => boolean;
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
    const heard = await config.request();
    const read = config.read(heard);
    if (read === null) {
      // What never reached the service can lock nobody out: when it is back it is asked at once.
      if (heard.kind !== 'not_sent') failures++;
      return { kind: 'no_token', why: config.isRefusal(heard) ? 'refused' : 'unavailable' };
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
