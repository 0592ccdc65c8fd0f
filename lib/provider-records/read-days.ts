import 'server-only';
import { addDays, dayRange, dayIn } from '#lib/values/dates.ts';
import { inTransaction, sql } from '#lib/runtime/db.ts';
import type { Prisma, Row } from '#lib/runtime/db.ts';
import { env } from '#lib/runtime/env.ts';
import { log } from '#lib/runtime/log.ts';
import { publish } from '#lib/live/publish.ts';
import type { Page, Reply } from '#lib/providers/outcome.ts';
import type { WalletClient } from '#lib/providers/wallet/client.ts';
import type { PageAsked } from '#lib/providers/wallet/types.ts';
import { ledgerInstant } from '#lib/values/ledger-instant.ts';
import { keptTransactions, keptWithdrawals } from './keep.ts';
import type { RecordList } from './list.ts';
import { MOVED, nextReading, readingFrom, retryAt, WINDOW_DAYS } from './policy.ts';
import type { Span } from './policy.ts';

const PAGE_SIZE = 200;
/**
 * The maximum number of pages of a day, for two million entries; a provider that reports more
 * counts its pages wrongly.
 */
const PAGES_MAX = 10_000;
/**
 * The lease of a reading, longer than one page may take: 10 s for a token, 30 s for the response.
 */
const LEASE_SECONDS = 60;
/** A person is active if a session was used this recently (recorded every 30 seconds). */
const ACTIVE_SECONDS = 90;

export type Lists = Pick<WalletClient, 'listTransactions' | 'listWithdrawals'>;

type Due = Row<'record_days', 'read_at' | 'records' | 'tries' | 'problem'> & {
  day: string;
  now: Date;
};

/** When a day of a list is due to be read, as SQL. */
export function daysDue(list: RecordList): Prisma.Sql {
  return sql`SELECT min(greatest(next_at, lease_until)) FROM record_days WHERE list = ${list}`;
}

/**
 * A task for a lane of the worker: reads the newest due day of a list, page by page. False when
 * none was due. No transaction is open during a request to the provider. A worker that dies between
 * two pages leaves its stored records and an unread day; its lease expires.
 */
export function dayReader(
  merchantId: string,
  list: RecordList,
  lists: Lists,
): () => Promise<boolean> {
  let windowOf = '';
  return async () => {
    const today = dayIn(new Date().toISOString(), env().timeZone);
    if (windowOf !== today) await wantWindow(merchantId, list, today);
    windowOf = today;
    const due = await takeDue(merchantId, list);
    if (due === undefined) return false;
    const problem = await readDay({ merchantId, list, lists, due });
    if (problem !== null)
      log.warn("a day of the provider's records was not read completely", { reason: problem });
    return true;
  };
}

/**
 * Queues the days that may still change, with or without a request, from the first start on.
 */
async function wantWindow(merchantId: string, list: RecordList, today: string): Promise<void> {
  const days = Array.from({ length: WINDOW_DAYS + 1 }, (_, back) => addDays(today, -back));
  await inTransaction(
    merchantId,
    (tx) => tx.$executeRaw`
    INSERT INTO record_days (merchant_id, list, day, next_at) SELECT ${merchantId}::uuid, ${list},
      day, clock_timestamp() FROM unnest(${days}::date[]) AS day ON CONFLICT DO NOTHING`,
  );
}

async function takeDue(merchantId: string, list: RecordList): Promise<Due | undefined> {
  const [due] = await inTransaction(
    merchantId,
    (tx) => tx.$queryRaw<Due[]>`
    UPDATE record_days d SET lease_until = clock_timestamp() + make_interval(secs => ${LEASE_SECONDS})
    FROM (SELECT day FROM record_days WHERE merchant_id = ${merchantId}::uuid AND list = ${list}
      AND next_at <= statement_timestamp()
      AND (lease_until IS NULL OR lease_until <= statement_timestamp())
      ORDER BY day DESC LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED) due
    WHERE d.merchant_id = ${merchantId}::uuid AND d.list = ${list} AND d.day = due.day
    RETURNING d.day::text, d.read_at, d.records, d.tries, d.problem, clock_timestamp() AS now`,
  );
  return due;
}

type Reading = { merchantId: string; list: RecordList; lists: Lists; due: Due };

/** Null after a complete reading; otherwise the reason. */
async function readDay(reading: Reading): Promise<string | null> {
  const { merchantId, list, lists, due } = reading;
  const range = dayRange(due.day, env().timeZone);
  const day = { from: Date.parse(range.from), to: Date.parse(range.to) };
  const from = readingFrom(
    day,
    { readAt: due.read_at?.getTime() ?? null, records: due.records },
    due.now.getTime(),
  );
  const asked = { from: new Date(from).toISOString(), to: range.to };
  const seen = { inside: 0, changed: 0 };
  const result =
    list === 'ledger'
      ? await readPages(
          (page) => lists.listTransactions(asked, page),
          { from, to: day.to },
          (rows) =>
            keepPage(reading, seen, rows.length, keptTransactions(merchantId, rows, due.now)),
        )
      : await readPages(
          (page) => lists.listWithdrawals(asked, page),
          { from, to: day.to },
          (rows) =>
            keepPage(reading, seen, rows.length, keptWithdrawals(merchantId, rows, due.now)),
        );
  return end(reading, day, asked.from, result, seen.changed);
}

/** `expected`: the provider's count of entries in the span that was read. */
type ReadResult = { expected: number } | { problem: string };

/**
 * Reads every page of a list, oldest first, so that new entries come at the end; requests the next
 * page while one is stored. The provider's end of a range is inclusive (`published`): an entry at
 * the start of the next day belongs to that day.
 */
async function readPages<Row extends { createdAt: string | null }>(
  ask: (page: PageAsked) => Promise<Reply<Page<Row>>>,
  span: Span,
  keep: (rows: Row[]) => Promise<void>,
): Promise<ReadResult> {
  const askFor = (index: number): Promise<Reply<Page<Row>>> =>
    ask({ index, size: PAGE_SIZE, order: 'oldest' });
  let problem: string | null = null;
  let beyond = 0;
  let asking = askFor(0);
  for (let index = 0; index < PAGES_MAX; index++) {
    const reply = await asking;
    if (reply.kind !== 'answered')
      return { problem: reply.kind === 'no_answer' ? reply.why : 'not_found' };
    const { rows, pageCount, rowCount } = reply.value;
    const isLast = index + 1 >= pageCount;
    if (!isLast) asking = askFor(index + 1);
    asking.catch(() => undefined);
    const inside: Row[] = [];
    for (const row of rows) {
      const where = placeOf(row, span);
      if (where === 'inside') inside.push(row);
      else if (where === 'next') beyond += 1;
      else problem ??= where;
    }
    await keep(inside);
    if (isLast) return problem === null ? { expected: rowCount - beyond } : { problem };
  }
  return { problem: 'too_many_pages' };
}

/**
 * An entry far outside of the requested range shows that the provider filters by another date than
 * we assume: an empty response for a day would prove nothing.
 */
function placeOf(
  row: { createdAt: string | null; feeMinor?: bigint },
  { from, to }: Span,
): 'inside' | 'next' | 'shape' | 'dates_ignored' {
  const made = ledgerInstant(row.createdAt);
  if (made === null || (row.feeMinor ?? 0n) < 0n) return 'shape';
  const at = Date.parse(made);
  if (at >= from && at < to) return 'inside';
  return at === to ? 'next' : 'dates_ignored';
}

/** Stores a page and extends the lease. The first reading of a day records its progress. */
async function keepPage(
  { merchantId, list, due }: Reading,
  seen: { inside: number; changed: number },
  rows: number,
  kept: Prisma.Sql,
): Promise<void> {
  seen.inside += rows;
  const records = due.read_at === null ? sql`greatest(records, ${seen.inside})` : sql`records`;
  seen.changed += await inTransaction(merchantId, async (tx) => {
    // Rows lost in a crash are read again: the day counts as read only after its last page.
    await tx.$executeRaw`SELECT set_config('synchronous_commit', 'off', true)`;
    await tx.$executeRaw`UPDATE record_days
      SET lease_until = clock_timestamp() + make_interval(secs => ${LEASE_SECONDS}),
      records = ${records} WHERE ${theDay(merchantId, list, due.day)}`;
    return rows === 0 ? 0 : tx.$executeRaw(kept);
  });
}

/**
 * The end of a reading. The day counts as read only if the mirror has as many entries as the
 * provider counts.
 */
async function end(
  { merchantId, list, due }: Reading,
  day: Span,
  from: string,
  result: ReadResult,
  changed: number,
): Promise<string | null> {
  const table = list === 'ledger' ? sql`ledger_records` : sql`withdraw_records`;
  const zoned = { from: new Date(day.from), to: new Date(day.to) };
  return inTransaction(merchantId, async (tx) => {
    const [state] = await tx.$queryRaw<[{ all: number; part: number; looked: boolean; now: Date }]>`
      SELECT count(*)::int AS all, count(*) FILTER (WHERE created_at >= ${from}::timestamptz)::int
        AS part, clock_timestamp() AS now,
        EXISTS (SELECT FROM sessions WHERE revoked_at IS NULL
          AND last_seen_at > clock_timestamp() - make_interval(secs => ${ACTIVE_SECONDS})) AS looked
      FROM ${table} WHERE created_at >= ${zoned.from} AND created_at < ${zoned.to}`;
    const problem =
      'problem' in result ? result.problem : state.part < result.expected ? MOVED : null;
    const next =
      problem === null
        ? nextReading(
            day,
            { begunAt: due.now.getTime(), endedAt: state.now.getTime() },
            state.looked,
          )
        : retryAt(state.now.getTime(), due.tries + 1, problem);
    const nextAt = next === null ? null : new Date(next);
    await (problem === null
      ? tx.$executeRaw`
          UPDATE record_days SET read_at = greatest(read_at, ${due.now}::timestamptz),
            records = ${state.all}, problem = NULL, tries = 0, next_at = ${nextAt},
            lease_until = NULL WHERE ${theDay(merchantId, list, due.day)}`
      : tx.$executeRaw`UPDATE record_days SET problem = ${problem}, tries = tries + 1,
        next_at = ${nextAt}, lease_until = NULL WHERE ${theDay(merchantId, list, due.day)}`);
    // Publish only what changes a page, not every reading.
    if (changed > 0 || problem !== due.problem || (problem === null && due.read_at === null))
      await publish(tx, { merchantId }, { kind: 'records', id: `${list}:${due.day}` });
    return problem;
  });
}

function theDay(merchantId: string, list: RecordList, day: string): Prisma.Sql {
  return sql`merchant_id = ${merchantId}::uuid AND list = ${list} AND day = ${day}::date`;
}
