/**
 * A wallet day by day: what came in and went out by the ledger, and what lay there at the day's
 * end. The provider tells the balance of now alone, so the ends of earlier days are counted back
 * from it, as far as every day between is read. Pure.
 */

/** Amounts in minor units. `out` is what left, fees included. */
export type DayFlow = { in: bigint; out: bigint; fees: bigint };

/**
 * `flow` is null on a day whose ledger is not read to its end, `balance` where one such day lies
 * between it and now.
 */
export type SeriesDay = { day: string; flow: DayFlow | null; balance: bigint | null };

const NOTHING: DayFlow = { in: 0n, out: 0n, fees: 0n };

/**
 * @param days oldest first, without gaps; the last is today
 * @param flows of the days on which anything moved
 * @param read days whose ledger is read to its end, today as far as it has come
 * @param balance of now; null when the provider has not just said it
 */
export function walletSeries(
  days: readonly string[],
  flows: ReadonlyMap<string, DayFlow>,
  read: ReadonlySet<string>,
  balance: bigint | null,
): SeriesDay[] {
  let end = balance;
  const back = days.toReversed().map((day): SeriesDay => {
    const flow = read.has(day) ? (flows.get(day) ?? NOTHING) : null;
    const one = { day, flow, balance: end };
    end = end === null || flow === null ? null : end - flow.in + flow.out;
    return one;
  });
  return back.toReversed();
}

/** Of the days that are read. */
export function sumOfDays(series: readonly SeriesDay[]): DayFlow {
  return series.reduce(
    (sum, { flow }) =>
      flow === null
        ? sum
        : { in: sum.in + flow.in, out: sum.out + flow.out, fees: sum.fees + flow.fees },
    NOTHING,
  );
}
