import 'server-only';
import { counter, histogram } from '#lib/runtime/metrics.ts';
import { describeStep, inStep } from '#lib/runtime/trace.ts';
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

/**
 * A transport whose requests are counted, timed and traced, as those of `provider`. A trace holds no
 * address and no body, and no header of it is sent: the contracts name the headers that are allowed.
 */
export function measured<Request>(
  provider: 'wallet' | 'card',
  transport: (request: Request) => Promise<Exchange>,
): (request: Request) => Promise<Exchange> {
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
