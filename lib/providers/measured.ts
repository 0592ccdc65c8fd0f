import 'server-only';
import { counter, histogram } from '#lib/runtime/metrics.ts';
import type { Exchange } from './outcome.ts';

const SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30];

const countRequest = counter(
  'dashboard_provider_requests_total',
  'Requests to a provider, by its response: the HTTP status, or why there is none.',
);
const observeRequest = histogram(
  'dashboard_provider_seconds',
  'From the request to a provider to its response, without requests that were not sent.',
  SECONDS,
);

/** A transport whose requests are counted and timed, as those of `provider`. */
export function measured<Request>(
  provider: 'wallet' | 'card',
  transport: (request: Request) => Promise<Exchange>,
): (request: Request) => Promise<Exchange> {
  return async (request) => {
    const begun = performance.now();
    const exchange = await transport(request);
    const { kind } = exchange;
    countRequest({ provider, response: kind === 'response' ? exchange.status : exchange.why });
    if (kind !== 'not_sent') observeRequest((performance.now() - begun) / 1_000, { provider });
    return exchange;
  };
}
