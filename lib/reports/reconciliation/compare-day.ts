import 'server-only';
import { createHash } from 'node:crypto';
import type { Hash } from 'node:crypto';
import { audit } from '#lib/audit/append.ts';
import { dayRange, dayIn } from '#lib/values/dates.ts';
import { databaseNow, inTransaction, sql } from '#lib/runtime/db.ts';
import type { Row, Tx } from '#lib/runtime/db.ts';
import { env } from '#lib/runtime/env.ts';
import { publish } from '#lib/live/publish.ts';
import type { Books, Judged, Reading } from './books.ts';
import { compareBooks } from './compare.ts';
import { dueDay, keyOf, readingOf, WINDOW_DAYS } from './due-day.ts';
import type { Known } from './due-day.ts';
import { closeGone, keepDifferences } from './keep.ts';
import { booksOf, foreignLines, foreignOf, foreignRequests, movementsOf } from './read-books.ts';
import type { Span } from './read-books.ts';

const PAGE_ROWS = 500;
const LEASE_SECONDS = 10 * 60;

/** The running totals of one comparison of a day. */
type Tally = {
  day: string;
  changed: number;
  movements: number;
  requests: number;
  lines: number;
  found: string[];
  waiting: string[];
  sums: Map<string, { ours: bigint; theirs: bigint }>;
  hash: Hash;
};

/**
 * A periodic task of the worker: compares the newest closed day that is due, in both directions.
 * Resolves false when none was. Idempotent, also concurrently; no difference ever changes a
 * movement.
 */
export async function compareOneDay(merchantId: string): Promise<boolean> {
  const zone = env().timeZone;
  const { known, booksBegan, ownWallets } = await inTransaction(merchantId, readKnown);
  const day = dueDay(known, zone);
  if (day === null || !(await inTransaction(merchantId, (tx) => takeDay(tx, merchantId, day))))
    return false;
  const reading = readingOf(known, {
    booksBegan,
    ownWallets,
    dayOf: (ms) => dayIn(new Date(ms).toISOString(), zone),
  });
  const range = dayRange(day, zone);
  const span: Span = { from: new Date(range.from), to: new Date(range.to) };
  const tally: Tally = {
    day,
    changed: 0,
    movements: 0,
    requests: 0,
    lines: 0,
    found: [],
    waiting: [],
    sums: new Map(),
    hash: createHash('sha256'),
  };
  const ids = await inTransaction(merchantId, async (tx) => ({
    movements: await movementsOf(tx, span),
    ...(await foreignOf(tx, span)),
  }));
  const parts: [readonly string[], (tx: Tx, ids: readonly string[]) => Promise<Books>][] = [
    [ids.movements, booksOf],
    [ids.requestIds, foreignRequests],
    [ids.lineIds, foreignLines],
  ];
  for (const [all, read] of parts) {
    for (let at = 0; at < all.length; at += PAGE_ROWS)
      await comparePage(merchantId, reading, tally, (tx) =>
        read(tx, all.slice(at, at + PAGE_ROWS)),
      );
  }
  await inTransaction(merchantId, (tx) => end(tx, merchantId, tally, known.now));
  return true;
}

async function comparePage(
  merchantId: string,
  reading: Reading,
  tally: Tally,
  read: (tx: Tx) => Promise<Books>,
): Promise<void> {
  await inTransaction(merchantId, async (tx) => {
    const books = await read(tx);
    const judged = compareBooks(books, reading);
    for (const one of judged) count(tally, one);
    tally.changed += await keepDifferences(
      tx,
      merchantId,
      judged.flatMap((one) => one.differences),
    );
  });
}

/**
 * A payment of another day is compared here because a record of this day names it, but it is
 * counted in its own day.
 */
function count(
  tally: Tally,
  { day, reference, differences, waits, paid, counts, words }: Judged,
): void {
  if (day !== tally.day) return;
  tally.found.push(...differences.map((one) => `${one.kind} ${one.reference}`));
  if (waits) tally.waiting.push(reference);
  tally.movements += counts.movements;
  tally.requests += counts.requests;
  tally.lines += counts.lines;
  for (const { currency, ours, theirs } of paid) {
    const sum = tally.sums.get(currency) ?? { ours: 0n, theirs: 0n };
    tally.sums.set(currency, { ours: sum.ours + ours, theirs: sum.theirs + theirs });
  }
  tally.hash.update(`${words}\n`);
}

/**
 * Closes differences that are no longer found. A day without a difference has its digest written to
 * the audit chain, once for each digest.
 */
async function end(tx: Tx, merchantId: string, tally: Tally, comparedAt: number): Promise<void> {
  const { day, movements, requests, lines, found, waiting } = tally;
  const changed = tally.changed + (await closeGone(tx, day, found, waiting, new Date(comparedAt)));
  const [{ differs }] = await tx.$queryRaw<[{ differs: boolean }]>`
    SELECT EXISTS (SELECT FROM differences WHERE day = ${day}::date AND state <> 'CLOSED') AS differs`;
  const isClean = found.length === 0 && waiting.length === 0 && !differs;
  const digest = isClean ? tally.hash.digest('hex') : null;
  const [before] = await tx.$queryRaw<
    [Row<'reconciliations', 'digest' | 'compared_at' | 'waiting'>]
  >`SELECT digest, compared_at, waiting FROM reconciliations WHERE day = ${day}::date FOR UPDATE`;
  const sums = Object.fromEntries(
    [...tally.sums]
      .sort()
      .map(([currency, sum]) => [
        currency,
        { ours: sum.ours.toString(), theirs: sum.theirs.toString() },
      ]),
  );
  await tx.$executeRaw`
    UPDATE reconciliations SET compared_at = ${new Date(comparedAt)}, waiting = ${waiting.length},
      movements = ${movements}, requests = ${requests}, lines = ${lines},
      sums = ${JSON.stringify(sums)}::jsonb, digest = ${digest}, lease_until = NULL
    WHERE day = ${day}::date`;
  if (
    changed > 0 ||
    before.compared_at === null ||
    before.digest !== digest ||
    before.waiting !== waiting.length
  )
    await publish(tx, { merchantId }, { kind: 'reconciliation', id: day });
  if (digest !== null && digest !== before.digest) {
    await audit(
      tx,
      { kind: 'worker', merchantId },
      'reconciliation.clean',
      `reconciliation:${day}`,
      { digest, movements, requests, lines },
    );
  }
}

async function takeDay(tx: Tx, merchantId: string, day: string): Promise<boolean> {
  const taken = await tx.$executeRaw`
    INSERT INTO reconciliations (merchant_id, day, lease_until)
      VALUES (${merchantId}::uuid, ${day}::date,
      clock_timestamp() + make_interval(secs => ${LEASE_SECONDS}))
    ON CONFLICT (merchant_id, day) DO UPDATE SET lease_until = excluded.lease_until
      WHERE reconciliations.lease_until IS NULL OR reconciliations.lease_until < clock_timestamp()`;
  return taken === 1;
}

/** Whether the compared day `r` has open differences, or payments that could not be judged. */
const UNSETTLED = sql`(r.waiting > 0
  OR EXISTS (SELECT FROM differences d WHERE d.day = r.day AND d.state = 'OPEN'))`;

/**
 * The readings reach back twice the window, and to the oldest unsettled day: it is compared again
 * until it is settled. The clocks of both sides may place its payments on the day before.
 */
async function readKnown(
  tx: Tx,
): Promise<{ known: Known; booksBegan: number; ownWallets: Set<string> }> {
  const zone = env().timeZone;
  const now = await databaseNow(tx);
  const read = await tx.$queryRaw<
    (Row<'record_days', 'list' | 'read_at', { list: 'ledger' | 'withdrawals'; read_at: Date }> & {
      day: string;
    })[]
  >`SELECT list, day::text, read_at FROM record_days WHERE read_at IS NOT NULL
    AND day >= least(${now}::timestamptz - make_interval(days => ${WINDOW_DAYS * 2}),
      (SELECT min(r.day) - 1 FROM reconciliations r WHERE ${UNSETTLED}))`;
  const compared = await tx.$queryRaw<
    (Row<'reconciliations', 'compared_at'> & { day: string; unsettled: boolean; leased: boolean })[]
  >`
    SELECT r.day::text, r.compared_at, ${UNSETTLED} AS unsettled,
      coalesce(r.lease_until > ${now}, false) AS leased FROM reconciliations r`;
  const [about] = await tx.$queryRaw<[{ began: Date; wallets: string[] }]>`
    SELECT coalesce((SELECT min(created_at) FROM merchants), ${now}) AS began,
      ARRAY(SELECT number FROM wallet_snapshots) AS wallets`;
  return {
    known: {
      now: now.getTime(),
      today: dayIn(now.toISOString(), zone),
      firstDay: dayIn(about.began.toISOString(), zone),
      read: new Map(read.map((row) => [keyOf(row.list, row.day), row.read_at.getTime()])),
      compared: new Map(
        compared.map((row) => [
          row.day,
          { at: row.compared_at?.getTime() ?? null, unsettled: row.unsettled, leased: row.leased },
        ]),
      ),
    },
    booksBegan: about.began.getTime(),
    ownWallets: new Set(about.wallets),
  };
}
