import type { Exchange } from './outcome.ts';

/** Upper limit, so that a wrong or malicious header does not stop payments for longer. */
const WAIT_MAX_MS = 60_000;

/**
 * A transport that sends nothing to a provider during the Retry-After time of its last 429. Neither
 * contract names a rate limit, so a 429 has its meaning in HTTP only: for a send a 429 proves
 * nothing (the limiter may come after the work, docs/money-rules.md, step 11), for a read a 429 is
 * no response, and this transport retries neither sends nor reads. A request during the wait is
 * provably not sent, which is better for money than another unclear send. Pure: the caller passes
 * the clock, in milliseconds, monotonic.
 */
export function respectingWaits<Request>(
  transport: (request: Request) => Promise<Exchange>,
  now: () => number,
): (request: Request) => Promise<Exchange> {
  let notBefore = Number.NEGATIVE_INFINITY;
  return async (request) => {
    if (now() < notBefore) return { kind: 'not_sent', why: 'told_to_wait' };
    const exchange = await transport(request);
    if (exchange.kind === 'response' && exchange.retryAfterMs !== undefined)
      notBefore = Math.max(notBefore, now() + Math.min(exchange.retryAfterMs, WAIT_MAX_MS));
    return exchange;
  };
}
