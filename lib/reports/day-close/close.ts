import 'server-only';
import { assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { audit } from '#lib/audit/append.ts';
import { addDays, monthDays } from '#lib/values/dates.ts';
import { isUsualDay } from '#lib/values/typed-day.ts';
import { inTransaction } from '#lib/runtime/db.ts';
import type { Row, Tx } from '#lib/runtime/db.ts';
import { env } from '#lib/runtime/env.ts';
import { parseDecimal, toDecimal } from '#lib/values/money.ts';
import { publish } from '#lib/live/publish.ts';
import { Refusal } from '#lib/access/refusal.ts';
import { stopReason } from '#lib/form-fields/stop-reason.ts';
import { startOf } from '#lib/provider-records/effects.ts';
import type { EffectsOf } from '#lib/provider-records/effects.ts';
import { BREAKS, countOddLines, isAboutLines } from './breaks.ts';
import { openingOf } from './evidence.ts';
import { countLines, lastClosedDay, movedIn, netBetween } from './figures.ts';
import { lateWindow } from './late.ts';
import { viewMonth } from './view.ts';
import type { DayView } from './view.ts';

/** The maximum number of days that one click closes: a little more than a month. */
const AT_ONCE = 35;
/** How often a day is judged whose entries change before it is closed. */
const JUDGED_MAX = 3;

/** A day has other entries by now than those from which it was judged. */
class Changed extends Error {}

/**
 * Closes the days of a wallet from the one after the last closed up to `through`, permanently; the
 * very first time only `through`, where the wallet's records begin. Days with breaks need a reason.
 * Returns the number closed.
 *
 * @throws Refusal not_allowed, not_found, day_not_closable, stop_reason_needed
 */
export async function closeDays(
  actor: Person,
  of: EffectsOf,
  through: string,
  reason: string,
): Promise<number> {
  assertMay(actor, 'day.close');
  if (!isUsualDay(through)) throw new Refusal('not_found');
  const last = await lastClosedDay(actor.merchantId, of.wallet);
  let closed = 0;
  for (
    let day = last === null ? through : addDays(last.last, 1);
    day <= through && closed < AT_ONCE;
    day = addDays(day, 1)
  ) {
    try {
      await closeDay(actor, of, day, reason);
    } catch (error) {
      // The days closed so far stay closed; the page shows why the next one cannot be.
      if (closed > 0 && error instanceof Refusal) break;
      throw error;
    }
    closed += 1;
  }
  if (closed === 0) throw new Refusal('day_not_closable');
  return closed;
}

async function closeDay(actor: Person, of: EffectsOf, day: string, reason: string): Promise<void> {
  for (let judged = 0; judged < JUDGED_MAX; judged += 1) {
    try {
      return await judgeAndClose(actor, of, day, reason);
    } catch (error) {
      if (!(error instanceof Changed)) throw error;
    }
  }
  throw new Refusal('day_not_closable');
}

/** @throws Changed when the day has to be judged again */
async function judgeAndClose(
  actor: Person,
  of: EffectsOf,
  day: string,
  reason: string,
): Promise<void> {
  const { merchantId } = actor;
  const zone = env().timeZone;
  const month = await viewMonth(actor, of, monthDays(day).from);
  const shown = month.days.find((one) => one.day === day);
  if (shown === undefined || shown.opening === null || !month.closable.includes(day))
    throw new Refusal('day_not_closable');
  const breaks = shown.breaks.map(({ kind }) => kind);
  const why = breaks.length === 0 && reason.trim() === '' ? null : stopReason(reason);
  await inTransaction(merchantId, async (tx) => {
    // Two concurrent closes would count an entry twice. The lock makes the second one wait, and it
    // then finds the day closed.
    await tx.$executeRaw`SELECT
      pg_advisory_xact_lock(hashtextextended(${`day-close:${merchantId}:${of.wallet}`}, 0))`;
    const [last] = await tx.$queryRaw<
      (Row<'closed_days', 'closing_minor'> & { first: string; last: string })[]
    >`
      SELECT (SELECT min(day)::text FROM closed_days WHERE wallet = ${of.wallet}) AS first,
        day::text AS last, closing_minor FROM closed_days WHERE wallet = ${of.wallet}
        ORDER BY day DESC LIMIT 1`;
    if (last !== undefined && addDays(last.last, 1) !== day) throw new Refusal('day_not_closable');
    const window =
      last === undefined
        ? { from: day, to: day, zone }
        : {
            ...lateWindow(
              { first: last.first, last: last.last, closing: last.closing_minor },
              zone,
            ),
            to: day,
          };
    const counted = await countLines(tx, merchantId, of, day, window);
    const opening = last === undefined ? parseDecimal(shown.opening!) : last.closing_minor;
    const closing = opening + counted.carried + counted.in - counted.out - counted.fees;
    // The counted entries are frozen with breaks and a reason of what was shown before the lock.
    if (toDecimal(closing) !== shown.closing) throw new Changed();
    await assertAsShown(tx, merchantId, of, shown, last === undefined);
    await tx.$executeRaw`
      INSERT INTO closed_days (merchant_id, wallet, day, currency, opening_minor, carried_minor,
        in_minor, out_minor, fee_minor, closing_minor, lines, breaks, reason, closed_by, closed_at)
      VALUES (${merchantId}::uuid, ${of.wallet}, ${day}::date, ${of.currency}, ${opening},
        ${counted.carried}, ${counted.in}, ${counted.out}, ${counted.fees}, ${closing},
        ${counted.lines}, ${breaks}, ${why}, ${actor.personId}::uuid, clock_timestamp())`;
    await audit(
      tx,
      actor,
      'day.closed',
      `day:${of.wallet}-${day}`,
      {
        currency: of.currency,
        opening: toDecimal(opening),
        carried: toDecimal(counted.carried),
        in: toDecimal(counted.in),
        out: toDecimal(counted.out),
        fees: toDecimal(counted.fees),
        closing: toDecimal(closing),
        lines: counted.lines,
        breaks,
      },
      why === null ? {} : { reason: why },
    );
    await publish(tx, actor, { kind: 'records', id: `day:${of.wallet}` });
  });
}

/**
 * An open day still has the entries, and those with a problem, that a view of it shows; and the
 * opening, where it is the first of its wallet.
 *
 * @throws Changed
 */
async function assertAsShown(
  tx: Tx,
  merchantId: string,
  of: EffectsOf,
  shown: DayView,
  isFirst: boolean,
): Promise<void> {
  const zone = env().timeZone;
  const days = { from: shown.day, to: shown.day, zone };
  const moved = (await movedIn(tx, of, days)).get(shown.day);
  const odd = (await countOddLines(tx, of, days)).get(shown.day);
  const isShown =
    (moved?.lines ?? 0) === shown.lines &&
    toDecimal(moved?.in ?? 0n) === shown.in &&
    toDecimal(moved?.out ?? 0n) === shown.out &&
    toDecimal(moved?.fees ?? 0n) === shown.fees &&
    BREAKS.filter(isAboutLines).every(
      (kind) =>
        (odd?.get(kind) ?? 0) === (shown.breaks.find((one) => one.kind === kind)?.count ?? 0),
    );
  if (!isShown) throw new Changed();
  if (!isFirst) return;
  // The view counts a first opening from the beginning of the month.
  const { from } = monthDays(shown.day);
  const opening = await openingOf(merchantId, of, from, zone, tx);
  const net = await netBetween(tx, of, startOf(from, zone), startOf(shown.day, zone));
  if (opening === null || toDecimal(opening + net) !== shown.opening) throw new Changed();
}
