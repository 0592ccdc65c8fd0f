import 'server-only';
import { addDays } from '#lib/values/dates.ts';
import type { BookDay, Moved } from './book.ts';
import { startOf } from '#lib/provider-records/effects.ts';
import type { EffectsOf } from '#lib/provider-records/effects.ts';
import { openingOf } from './evidence.ts';
import { netBetween } from './figures.ts';
import type { Days, LastClosed } from './figures.ts';

/**
 * The opening balance of these days: from the last closed day before them, or else from a balance
 * that the provider reported.
 */
export async function openingHere(
  merchantId: string,
  of: EffectsOf,
  days: Days,
  before: LastClosed,
  waiting: bigint,
): Promise<bigint | null> {
  if (before === null) return openingOf(merchantId, of, days.from, days.zone);
  if (addDays(before.last, 1) === days.from) return before.closing;
  return (
    before.closing +
    waiting +
    (await netBetween(
      merchantId,
      of,
      startOf(addDays(before.last, 1), days.zone),
      startOf(days.from, days.zone),
    ))
  );
}

/**
 * The wallet's balance at the end of each day by the current entries. For open days it is their
 * closing; for closed ones it is computed back from the last of them, because corrections are in
 * the balance but not in the frozen figures.
 */
export async function endsOf(
  merchantId: string,
  of: EffectsOf,
  days: Days,
  book: readonly BookDay[],
  moved: ReadonlyMap<string, Moved>,
  last: LastClosed,
  waiting: bigint,
): Promise<(bigint | null)[]> {
  const ends = book.map((one) => one.closing);
  if (last === null || last.last < days.from) return ends;
  const beyond =
    last.last > days.to
      ? await netBetween(
          merchantId,
          of,
          startOf(addDays(days.to, 1), days.zone),
          startOf(addDays(last.last, 1), days.zone),
        )
      : 0n;
  let end = last.closing + waiting - beyond;
  for (let n = book.length - 1; n >= 0; n -= 1) {
    const one = book[n]!;
    if (one.day > last.last) continue;
    if (one.state === 'closed') ends[n] = end;
    const { in: into, out, fees } = moved.get(one.day) ?? { in: 0n, out: 0n, fees: 0n };
    end -= into - out - fees;
  }
  return ends;
}
