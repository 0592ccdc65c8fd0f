import { describe, expect, it } from 'vitest';
import { throughCircuit } from './circuit.ts';
import type { Exchange } from './outcome.ts';

const refused: Exchange = { kind: 'not_sent', why: 'refused' };
const answer: Exchange = {
  kind: 'response',
  status: 200,
  body: '{}',
  contentType: 'application/json',
};

function aProvider() {
  let now = 0;
  let says: Exchange = refused;
  const tried: number[] = [];
  const ask = throughCircuit(
    async () => {
      tried.push(now);
      return says;
    },
    () => now,
  );
  return {
    ask,
    tried,
    at: (ms: number) => void (now = ms),
    says: (next: Exchange) => void (says = next),
  };
}

describe('a provider that cannot be reached', () => {
  it('is tried five times, then once in 15 seconds, and what was not tried is said to be not sent', async () => {
    const { ask, tried, at } = aProvider();
    for (let ms = 0; ms < 60_000; ms += 100) {
      at(ms);
      const exchange = await ask({});
      expect(exchange.kind).toBe('not_sent');
    }
    expect(tried.slice(0, 5)).toEqual([0, 100, 200, 300, 400]);
    expect(tried.slice(5)).toEqual([15_400, 30_400, 45_400]);
  });

  it('sends one probe, however many ask at once', async () => {
    const { ask, tried, at } = aProvider();
    for (let n = 0; n < 5; n++) await ask({});
    at(20_000);
    const exchanges = await Promise.all(Array.from({ length: 8 }, () => ask({})));
    expect(tried).toHaveLength(6);
    expect(
      exchanges.filter((one) => one.kind === 'not_sent' && one.why === 'circuit_open'),
    ).toHaveLength(7);
  });

  it('is used as before as soon as a probe was answered', async () => {
    const { ask, tried, at, says } = aProvider();
    for (let n = 0; n < 9; n++) await ask({});
    expect(tried).toHaveLength(5);
    says(answer);
    at(20_000);
    for (let n = 0; n < 4; n++) expect(await ask({})).toEqual(answer);
    expect(tried).toHaveLength(9);
  });
});

describe('what opens no circuit', () => {
  it.each<[string, Exchange]>([
    ['an answer, whatever its status', { ...answer, status: 503 } as Exchange],
    ['a lost answer: the connection stood', { kind: 'unclear', why: 'timeout' }],
    ['a send held back by its own caller', { kind: 'not_sent', why: 'held_back' }],
    ['a token that was not given', { kind: 'not_sent', why: 'no_token' }],
  ])('%s', async (_what, exchange) => {
    const { ask, tried, says } = aProvider();
    says(exchange);
    for (let n = 0; n < 20; n++) await ask({});
    expect(tried).toHaveLength(20);
  });

  it('failures that are not in a row', async () => {
    const { ask, tried, says } = aProvider();
    for (let n = 0; n < 20; n++) {
      says(n % 4 === 3 ? answer : refused);
      await ask({});
    }
    expect(tried).toHaveLength(20);
  });
});
