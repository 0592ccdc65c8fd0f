import 'server-only';
import { createHash } from 'node:crypto';
import { actorText, assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { audit } from './append.ts';
import { onceThere } from '#lib/runtime/database-away.ts';
import { inTransaction, sql } from '#lib/runtime/db.ts';
import type { Prisma, Tx } from '#lib/runtime/db.ts';
import { countWithin } from '#lib/access/rate-limit.ts';
import { Refusal } from '#lib/access/refusal.ts';
import { sign } from './checkpoint.ts';
import { BYTE_ORDER_MARK, csvLine } from './csv.ts';
import type { AuditFilter } from './filter.ts';
import { conditionsOf, hex, readHead, readLinks } from './links.ts';
import { storedLines } from './stored-checkpoints.ts';
import type { Link } from './verify.ts';

const BATCH = 500;
/** A spreadsheet with more rows is not usable; the whole chain is exported as NDJSON. */
const CSV_ROWS_MAX = 100_000;
const HOUR = 3_600;
const EXPORTS_PER_PERSON = 20;
const EXPORTS_IN_ALL = 60;
const NO_FILTER: AuditFilter = { who: null, action: null, subject: null, from: null, to: null };

/**
 * `filter` null: the whole chain. `personal`: include personal values. An erasure removes these
 * values from the database, but never from a file that was exported before.
 */
export type ExportAsked = {
  format: 'ndjson' | 'csv';
  filter: AuditFilter | null;
  personal: boolean;
};
export type AuditExport = { entries: number; pieces: AsyncGenerator<string> };

type Frame = {
  merchant: string;
  exportedAt: string;
  exportedBy: string;
  entries: number;
  head: { seq: number; hash: string };
  range: Range | null;
};
type Range = { first: number; last: number; from: string; to: string };

/**
 * Opens an export of the trail. It is audited before the first byte is sent, so the newest entry of
 * a full export is its own. The file is read a batch at a time, up to the head at this moment.
 *
 * @throws Refusal `not_allowed`, `too_many`, `export_too_long`
 */
export async function openExport(actor: Person, asked: ExportAsked): Promise<AuditExport> {
  assertMay(actor, 'audit.export');
  const seconds = await inTransaction(actor.merchantId, (tx) => overLimit(tx, actor));
  if (seconds !== null) throw new Refusal('too_many', { seconds });
  const { format, filter, personal } = asked;
  const where = conditionsOf(filter ?? NO_FILTER);
  const frame = await inTransaction(actor.merchantId, async (tx) => {
    await audit(tx, actor, 'audit.exported', 'audit:chain', {
      format,
      whole: filter === null,
      ...given(filter),
      personal,
    });
    const read = await readFrame(tx, actor, where);
    if (format === 'csv' && read.entries > CSV_ROWS_MAX)
      throw new Refusal('export_too_long', { max: CSV_ROWS_MAX });
    return read;
  });
  return {
    entries: frame.entries,
    pieces:
      format === 'csv' ? csvPieces(where, frame, personal) : ndjsonPieces(where, frame, asked),
  };
}

/** The checkpoints as they were signed, oldest first. */
export async function readCheckpoints(actor: Person): Promise<string[]> {
  assertMay(actor, 'audit.export');
  return inTransaction(actor.merchantId, storedLines);
}

/**
 * The lines that `scripts/verify-audit.mjs` reads: a header, one line for each entry, and an end
 * line with a digest of all lines before it and its signature. Fields: docs/audit.md.
 */
async function* ndjsonPieces(
  where: Prisma.Sql,
  frame: Frame,
  { filter, personal }: ExportAsked,
): AsyncGenerator<string> {
  const digest = createHash('sha256');
  const counted = (text: string): string => (digest.update(text, 'utf8'), text);
  yield counted(
    `${JSON.stringify({ export: 'audit', version: 1, ...frame, filter: given(filter), personal })}\n`,
  );
  for await (const links of batches(where, frame))
    yield counted(links.map((link) => `${JSON.stringify(rowOf(link, personal))}\n`).join(''));
  const all = digest.digest('hex');
  yield `${JSON.stringify({ end: 'audit', entries: frame.entries, digest: all, ...sign(`export ${all}`) })}\n`;
}

function rowOf(link: Link, personal: boolean): object {
  const values =
    personal && Object.keys(link.personal).length > 0 ? { personal: link.personal } : {};
  return { body: link.body, prev: hex(link.prevHash), hash: hex(link.hash), ...values };
}

async function* csvPieces(
  where: Prisma.Sql,
  frame: Frame,
  personal: boolean,
): AsyncGenerator<string> {
  yield (
    BYTE_ORDER_MARK +
    csvLine([
      'seq',
      'at (UTC)',
      'actor',
      ...(personal ? ['name', 'ip'] : []),
      'action',
      'subject',
      'detail',
      'hash',
    ])
  );
  for await (const links of batches(where, frame)) {
    yield links
      .map((link) => {
        const { at, actor, action, subject, detail } = readBody(link.body);
        const values = personal
          ? [link.personal['name']?.value ?? '', link.personal['ip']?.value ?? '']
          : [];
        return csvLine([
          String(link.seq),
          String(at),
          String(actor),
          ...values,
          String(action),
          String(subject),
          JSON.stringify(detail),
          hex(link.hash),
        ]);
      })
      .join('');
  }
}

async function* batches(where: Prisma.Sql, { merchant, head }: Frame): AsyncGenerator<Link[]> {
  for (let done = 0n; ;) {
    const range = sql`${where} AND e.seq > ${done} AND e.seq <= ${BigInt(head.seq)}`;
    const links = await onceThere(() =>
      inTransaction(merchant, (tx) => readLinks(tx, range, 'ASC', BATCH)),
    );
    if (links.length > 0) yield links;
    if (links.length < BATCH) return;
    done = links.at(-1)!.seq;
  }
}

async function readFrame(tx: Tx, actor: Person, where: Prisma.Sql): Promise<Frame> {
  const head = (await readHead(tx))!;
  const [row] = await tx.$queryRaw<
    [
      {
        entries: bigint;
        first: bigint | null;
        last: bigint | null;
        from: Date | null;
        to: Date | null;
        now: Date;
      },
    ]
  >`
    SELECT count(*) AS entries, min(e.seq) AS first, max(e.seq) AS last, min(e.at) AS from,
      max(e.at) AS to, clock_timestamp() AS now
    FROM audit_entries e WHERE ${where} AND e.seq <= ${head.seq}`;
  const range =
    row.first === null
      ? null
      : {
          first: Number(row.first),
          last: Number(row.last),
          from: row.from!.toISOString(),
          to: row.to!.toISOString(),
        };
  return {
    merchant: actor.merchantId,
    exportedAt: row.now.toISOString(),
    exportedBy: actorText(actor),
    entries: Number(row.entries),
    head: { seq: Number(head.seq), hash: hex(head.hash) },
    range,
  };
}

async function overLimit(tx: Tx, actor: Person): Promise<number | null> {
  const counted = [
    await countWithin(
      tx,
      actor.merchantId,
      `audit-export:person:${actor.personId}`,
      EXPORTS_PER_PERSON,
      HOUR,
    ),
    await countWithin(tx, actor.merchantId, 'audit-export:all', EXPORTS_IN_ALL, HOUR),
  ];
  const refused = counted.filter((one) => !one.ok).map((one) => one.seconds);
  return refused.length > 0 ? Math.max(...refused) : null;
}

function readBody(text: string): Record<string, unknown> {
  return JSON.parse(text);
}

/** The fields of a filter that are set; null for the whole chain. */
function given(filter: AuditFilter | null): Record<string, string> | null {
  return (
    filter &&
    Object.fromEntries(
      Object.entries(filter).flatMap(([field, value]) =>
        value === null ? [] : [[field, value] as const],
      ),
    )
  );
}
