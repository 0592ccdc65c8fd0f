import type { Exchange, NotSentWhy } from './outcome.ts';

/**
 * A circuit breaker for a provider: after several failed connections in a row no more are tried for
 * a while, then one at a time until one succeeds. Only a request that was provably not sent counts
 * as a failure, so an open circuit says nothing about money. Pure: the caller passes the clock, in
 * milliseconds, monotonic.
 */

const FAILURES_MAX = 5;
const REST_MS = 15_000;

export const CONNECTION_FAILED: readonly NotSentWhy[] = [
  'dns',
  'refused',
  'connect_timeout',
  'tls',
  'unreachable',
];

export type Circuit = {
  /**
   * Whether a request may be sent now. While the circuit is open, the caller that gets true sends
   * the probe.
   */
  mayTry(now: number): boolean;
  record(exchange: Exchange, now: number): void;
};

export function createCircuit(): Circuit {
  let failures = 0;
  let restUntil = 0;
  return {
    mayTry(now) {
      if (failures < FAILURES_MAX) return true;
      if (now < restUntil) return false;
      // This caller is the probe: other callers wait another rest, unless it succeeds before.
      restUntil = now + REST_MS;
      return true;
    },
    record(exchange, now) {
      const failed = exchange.kind === 'not_sent' && CONNECTION_FAILED.includes(exchange.why);
      // A send that `beforeWrite` stopped had an open connection: the provider can be reached.
      if (!failed) failures = 0;
      else if (++failures >= FAILURES_MAX) restUntil = now + REST_MS;
    },
  };
}

/**
 * A transport behind the circuit breaker. One circuit per provider, because its token service and
 * its API fail together.
 */
export function throughCircuit<Request>(
  transport: (request: Request) => Promise<Exchange>,
  now: () => number,
): (request: Request) => Promise<Exchange> {
  const circuit = createCircuit();
  return async (request) => {
    if (!circuit.mayTry(now())) return { kind: 'not_sent', why: 'circuit_open' };
    const exchange = await transport(request);
    circuit.record(exchange, now());
    return exchange;
  };
}
