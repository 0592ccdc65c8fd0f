import 'server-only';
import { counter, histogram } from '#lib/runtime/metrics.ts';
import { describeStep, inStep } from '#lib/runtime/trace.ts';
import { CONNECTION_FAILED } from './circuit.ts';
import type { Exchange, NotSentWhy } from './outcome.ts';

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

/**
 * What the alarm ProviderUnreachable counts. Prometheus sees no increase in a series that begins
 * above zero, so each of these is there before the first failure.
 */
const HELD_BACK: readonly NotSentWhy[] = [...CONNECTION_FAILED, 'circuit_open', 'no_token'];

type Provider = 'wallet' | 'card';

/** Counts a request that was not sent and came to no transport. */
export function countNotSent(provider: Provider, why: NotSentWhy): void {
  countRequest({ provider, response: why });
}

/**
 * A transport whose requests are counted, timed and traced, as those of `provider`. A trace holds no
 * address and no body, and no header of it is sent: the contracts name the headers that are allowed.
 */
export function measured<Request>(
  provider: Provider,
  transport: (request: Request) => Promise<Exchange>,
): (request: Request) => Promise<Exchange> {
  for (const response of HELD_BACK) countRequest({ provider, response }, 0);
  return (request) =>
    inStep({ name: 'provider request', fields: { provider }, isRequest: true }, async () => {
      const begun = performance.now();
      const exchange = await transport(request);
      const { kind } = exchange;
      countRequest({ provider, response: kind === 'response' ? exchange.status : exchange.why });
      if (kind !== 'not_sent') observeRequest((performance.now() - begun) / 1_000, { provider });
      describeStep(kind === 'response' ? { status: exchange.status } : { reason: exchange.why });
      return exchange;
    });
}
