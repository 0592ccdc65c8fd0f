import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addDays } from '#lib/values/dates.ts';
import { sumOfDays, walletSeries } from './series.ts';
import type { DayFlow } from './series.ts';

const daysFrom = (first: string, count: number): string[] =>
  Array.from({ length: count }, (_one, n) => addDays(first, n));
const flow = (into: bigint, out: bigint, fees = 0n): DayFlow => ({ in: into, out, fees });
const amount = fc.bigInt({ min: 0n, max: 10n ** 12n });
const flows = fc.array(fc.option(fc.record({ in: amount, out: amount, fees: amount })), {
  minLength: 1,
  maxLength: 90,
});

describe('a wallet day by day', () => {
  it("ends with the provider's balance, and every day with that of the day before and what moved", () => {
    fc.assert(
      fc.property(flows, fc.bigInt({ min: -(10n ** 12n), max: 10n ** 15n }), (given, balance) => {
        const days = daysFrom('2026-01-01', given.length);
        const moved = new Map(
          days.flatMap((day, n) => (given[n] === null ? [] : [[day, given[n]!] as const])),
        );
        const series = walletSeries(days, moved, new Set(days), balance);
        expect(series.map(({ day }) => day)).toEqual(days);
        expect(series.at(-1)!.balance).toBe(balance);
        for (const [n, { flow: own, balance: end }] of series.entries())
          if (n > 0) expect(end).toBe(series[n - 1]!.balance! + own!.in - own!.out);
        const sum = sumOfDays(series);
        expect(
          series[0]!.balance! - series[0]!.flow!.in + series[0]!.flow!.out + sum.in - sum.out,
        ).toBe(balance);
      }),
    );
  });

  it('says nothing of a day that is not read, nor of any balance before it; what is read beside it stays', () => {
    fc.assert(
      fc.property(flows, fc.nat(), (given, which) => {
        const days = daysFrom('2026-01-01', given.length);
        const missing = days[which % days.length]!;
        const moved = new Map(days.map((day, n) => [day, given[n] ?? flow(0n, 0n)] as const));
        const series = walletSeries(
          days,
          moved,
          new Set(days.filter((day) => day !== missing)),
          1_000n,
        );
        for (const one of series) {
          expect(one.flow === null).toBe(one.day === missing);
          expect(one.balance === null).toBe(one.day < missing);
        }
      }),
    );
  });

  it('has no balances while the provider has not just said one, and still what moved', () => {
    const days = daysFrom('2026-03-01', 2);
    expect(
      walletSeries(days, new Map([['2026-03-02', flow(5n, 3n, 1n)]]), new Set(days), null),
    ).toEqual([
      { day: '2026-03-01', flow: flow(0n, 0n), balance: null },
      { day: '2026-03-02', flow: flow(5n, 3n, 1n), balance: null },
    ]);
  });
});
