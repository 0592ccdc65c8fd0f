/**
 * A wallet day by day: incoming and outgoing money by the ledger, and the balance at the day's end.
 * The provider reports the current balance only, so earlier ones are calculated back from it, as
 * far as every day in between is read. Pure.
 */

/** Amounts in minor units. `out` is the outgoing total, fees included. */
export type DayFlow = { in: bigint; out: bigint; fees: bigint };

/**
 * `flow` is null on a day whose ledger is not completely read, `balance` when such a day lies
 * between it and now.
 */
export type SeriesDay = { day: string; flow: DayFlow | null; balance: bigint | null };

const NOTHING: DayFlow = { in: 0n, out: 0n, fees: 0n };

/**
 * @param days oldest first, without gaps; the last is today
 * @param flows by day; days without a movement are missing
 * @param read days whose ledger is completely read, today up to now
 * @param balance the current one; null when the provider has not just reported it
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

/** The sums over the days that are read. */
export function sumOfDays(series: readonly SeriesDay[]): DayFlow {
  return series.reduce(
    (sum, { flow }) =>
      flow === null
        ? sum
        : { in: sum.in + flow.in, out: sum.out + flow.out, fees: sum.fees + flow.fees },
    NOTHING,
  );
}
