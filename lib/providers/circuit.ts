import type { Exchange, NotSentWhy } from './outcome.ts';

/**
 * A provider that cannot be reached is left alone for a while: after some connections in a row that
 * failed no more are tried, then one at a time until one stands. Only what provably was not sent
 * opens it, so an open circuit says nothing about money. Pure: the clock is given, in milliseconds
 * that only go forward.
 */

const FAILURES_MAX = 5;
const REST_MS = 15_000;

const CONNECTION_FAILED: readonly NotSentWhy[] = [
  'dns',
  'refused',
  'connect_timeout',
  'tls',
  'unreachable',
];

export type Circuit = {
  /**
   * Whether a connection may be tried now. True makes the caller the probe of a circuit that rests.
   */
  mayTry(now: number): boolean;
  heard(exchange: Exchange, now: number): void;
};

export function createCircuit(): Circuit {
  let failures = 0;
  let restUntil = 0;
  return {
    mayTry(now) {
      if (failures < FAILURES_MAX) return true;
      if (now < restUntil) return false;
      // The probe: whoever comes before its answer waits for another rest.
      restUntil = now + REST_MS;
      return true;
    },
    heard(exchange, now) {
      const failed = exchange.kind === 'not_sent' && CONNECTION_FAILED.includes(exchange.why);
      // A send that was held back after its connection stood proves a provider that can be reached.
      if (!failed) failures = 0;
      else if (++failures >= FAILURES_MAX) restUntil = now + REST_MS;
    },
  };
}

/**
 * A transport that asks the circuit first. One circuit per provider: its token service and its API
 * go away together.
 */
export function throughCircuit<Request>(
  transport: (request: Request) => Promise<Exchange>,
  now: () => number,
): (request: Request) => Promise<Exchange> {
  const circuit = createCircuit();
  return async (request) => {
    if (!circuit.mayTry(now())) return { kind: 'not_sent', why: 'circuit_open' };
    const exchange = await transport(request);
    circuit.heard(exchange, now());
    return exchange;
  };
}
