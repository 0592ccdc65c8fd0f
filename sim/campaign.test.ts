import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Campaign } from './campaign.ts';
import { Random } from './random.ts';
import { RANGE, rangeOf } from './seeds.ts';
import { noStats } from './stats.ts';
import type { Stats } from './stats.ts';

let folder = '';
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'sim-state-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const CODE = { code: 'a', commit: 'c1', anew: false };
const opened = (
  seeds: { from: number; count: number },
  more: Partial<typeof CODE> = {},
): Campaign => new Campaign(seeds, { ...CODE, ...more, folder });
const worlds = (count: number): Stats => ({ ...noStats(), worlds: count });
const SHARES = [1, 26, 51, 76].map((from) => ({ from, count: 25 }));

test('a run that was stopped goes on after the shares that were done, in whatever order they were done', () => {
  const first = opened({ from: 1, count: 100 });
  first.done(SHARES[2]!, { totals: worlds(25), broken: [] });
  first.done(SHARES[0]!, { totals: worlds(25), broken: [] });
  const next = opened({ from: 1, count: 100 });
  expect([next.resumed, SHARES.map((share) => next.isDone(share))]).toEqual([
    50,
    [true, false, true, false],
  ]);
  next.done(SHARES[1]!, { totals: worlds(25), broken: [] });
  next.done(SHARES[3]!, { totals: worlds(25), broken: [] });
  expect(next.totals.worlds).toBe(100);
  expect(opened({ from: 1, count: 100 }).resumed, 'a run that is over begins anew').toBe(0);
});

test('what other code did, another run did, or is to be done anew is not taken over', () => {
  opened({ from: 1, count: 100 }).done(SHARES[0]!, { totals: worlds(25), broken: [] });
  expect(opened({ from: 1, count: 100 }, { anew: true }).isDone(SHARES[0]!)).toBe(false);
  expect(opened({ from: 1, count: 200 }).isDone(SHARES[0]!)).toBe(false);
  expect(opened({ from: 1, count: 100 }, { code: 'b' }).isDone(SHARES[0]!)).toBe(false);
});

test('a red world stays known with the code that it was red with, until it is green', () => {
  const red = { seed: 7, rule: 'I1' as const, what: 'paid again' };
  opened({ from: 1, count: 100 }).done(SHARES[0]!, { totals: worlds(25), broken: [red] });
  const later = opened({ from: 5_001, count: 100 }, { code: 'b', commit: 'c2' });
  expect(later.red).toEqual([{ ...red, commit: 'c1' }]);
  later.tried(7, red);
  expect(opened({ from: 1, count: 100 }).red).toEqual([{ ...red, commit: 'c2' }]);
  later.tried(7, null);
  expect(opened({ from: 1, count: 100 }).red).toEqual([]);
});

test('two commits have worlds of their own, none of them a world that people name', () => {
  const starts = Array.from({ length: 200 }, (_, n) =>
    rangeOf(createHash('sha1').update(String(n)).digest('hex')),
  );
  expect(new Set(starts).size).toBe(200);
  for (const start of starts)
    expect(start >= 1_000_000 && start % RANGE === 0 && start + RANGE <= 9_000_000_000_000).toBe(
      true,
    );
});

test('a seed beyond 32 bits is not the world of the seed that its lower half is', () => {
  const far = new Random(2 ** 32 * 5 + 77, 'world');
  const near = new Random(77, 'world');
  expect(far.next()).not.toBe(near.next());
});
