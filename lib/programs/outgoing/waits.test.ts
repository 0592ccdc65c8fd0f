import { expect, it } from 'vitest';
import { nextWait, TRIED_MS } from './waits.ts';

it('waits longer after each try, and gives up before a day is over', () => {
  const waits: number[] = [];
  let age = 0;
  for (let tries = 1; ; tries++) {
    const wait = nextWait(tries, age);
    if (wait === null) break;
    waits.push(wait);
    age += wait;
  }
  expect(waits.slice(0, 4)).toEqual([5_000, 30_000, 120_000, 600_000]);
  expect(waits).toEqual(waits.toSorted((a, b) => a - b));
  expect(age).toBeGreaterThan(TRIED_MS / 2);
  expect(age).toBeLessThanOrEqual(TRIED_MS);
});

it('of a message that was sent again later by hand gives up at once', () => {
  expect(nextWait(20, TRIED_MS)).toBeNull();
});
