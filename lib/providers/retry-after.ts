import type { Exchange } from './outcome.ts';

/** A mistaken or hostile header must not stop payments for longer than this. */
const WAIT_MAX_MS = 60_000;

/**
 * A transport that leaves a provider in peace for as long as its last 429 asked. Neither contract
 * names a rate limit, so a 429 means what it means in HTTP and no more: of a send it proves nothing
 * (a limiter may sit behind the work, docs/money-rules.md, step 11), of a question it is no answer,
 * and neither is repeated here. What comes while the time runs is provably not sent, which is
 * better for money than one unclear send after the other. Pure: the clock is given, in milliseconds
 * that only go forward.
 */
export function respectingWaits<Request>(
  transport: (request: Request) => Promise<Exchange>,
  now: () => number,
): (request: Request) => Promise<Exchange> {
  let notBefore = Number.NEGATIVE_INFINITY;
  return async (request) => {
    if (now() < notBefore) return { kind: 'not_sent', why: 'told_to_wait' };
    const heard = await transport(request);
    if (heard.kind === 'heard' && heard.retryAfterMs !== undefined)
      notBefore = Math.max(notBefore, now() + Math.min(heard.retryAfterMs, WAIT_MAX_MS));
    return heard;
  };
}
