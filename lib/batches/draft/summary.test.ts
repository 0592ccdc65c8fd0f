import { describe, expect, it } from 'vitest';
import { predictPace } from './pace.ts';
import { draftProblems, isReady, summarize } from './summary.ts';
import { aRow, B, checked, tableOfRows, TCKN } from './testing/drafts.ts';

const FEE = { min: 100n, max: 300n, n: 5 };
const NO_FEES = { payout: null, transfer_person: null };

describe('the summary of a draft', () => {
  const rows = [aRow(), aRow({ iban: B, tax: TCKN, amount: '65,50' }), aRow({ amount: '' })];
  // The first and the last row pay one account.

  it('adds up what is paid, and says what is without an amount', () => {
    const summary = summarize(checked(rows), {
      balance: { availableMinor: 200_000n, limits: { withdrawalMinor: null } },
      fees: { ...NO_FEES, payout: FEE },
    });
    expect(summary).toMatchObject({
      rows: 3,
      out: 0,
      problems: 1,
      sum: 130_000n,
      withoutAmount: 1,
      fee: { min: 300n, max: 900n },
      available: 200_000n,
      after: 69_100n,
      firstTime: 2,
      repairedCells: 0,
    });
  });

  it('names no fee, rather than a part of it, while that of one kind of rows is not known', () => {
    const person = aRow({ name: 'Elif Kaya', iban: '', tax: '', person: '+90 533 000 02 01' });
    const fees = { ...NO_FEES, payout: FEE };
    const feeOf = (some: readonly string[][]) =>
      summarize(checked(some), { balance: null, fees }).fee;
    expect(feeOf([aRow(), person])).toBeNull();
    expect(feeOf([aRow()])).toEqual({ min: 100n, max: 300n, n: 5 });
  });

  it('counts rows that are taken out apart', () => {
    const summary = summarize(checked(rows, { leftOut: ['0:3', '0:4'] }), {
      balance: null,
      fees: NO_FEES,
    });
    expect(summary).toMatchObject({ rows: 1, out: 2, problems: 0, sum: 123_450n, after: null });
  });

  it('is ready when no row has a problem and the balance carries the sum', () => {
    const good = rows.slice(0, 2);
    const { mapping } = tableOfRows(good);
    const ready = (availableMinor: bigint | null, withdrawalMinor: bigint | null = null) => {
      const balance =
        availableMinor === null ? null : { availableMinor, limits: { withdrawalMinor } };
      const summary = summarize(checked(good), { balance, fees: NO_FEES });
      const problems = draftProblems(summary, { mapping, balance, typesKnown: true });
      return [isReady(summary, problems, []), problems.map(({ code }) => code)];
    };
    expect(ready(128_950n + 1_050n)).toEqual([true, []]);
    expect(ready(129_999n)).toEqual([false, ['sum_above_balance']]);
    expect(ready(200_000n, 130_000n)).toEqual([true, []]);
    expect(ready(200_000n, 129_999n)).toEqual([false, ['sum_above_limit']]);
    expect(ready(null)).toEqual([false, ['wallet_unverified']]);
  });
});

describe('the predicted duration', () => {
  it('is that of the rows when no account repeats', () => {
    expect(predictPace(Array.from({ length: 400 }, (_, n) => `TR${n}`))).toEqual({
      seconds: 100,
      waits: 0,
      most: 1,
    });
    expect(predictPace([])).toEqual({ seconds: 0, waits: 0, most: 0 });
  });

  it('is a minute and five seconds for each further payout to one account', () => {
    expect(predictPace(['A', 'B', 'A', 'A'])).toEqual({ seconds: 130, waits: 2, most: 3 });
    expect(predictPace(['A', 'A'], () => 40).seconds).toBe(105);
  });
});
