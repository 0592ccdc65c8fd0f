import 'server-only';
import { daysRange } from '#lib/values/dates.ts';
import { join, sql } from '#lib/runtime/db.ts';
import type { Prisma, Row, Tx } from '#lib/runtime/db.ts';
import { env } from '#lib/runtime/env.ts';
import { AUDIT_TOPICS, EARLIER_NAMES } from './filter.ts';
import type { AuditFilter } from './filter.ts';
import type { Link, PersonalValues } from './verify.ts';

/**
 * Links of the chain with what is needed to prove each: the previous hash and the personal values.
 * `e` is the entry. The previous entry is a subquery on purpose, not a join: while the planner's
 * statistics say that the table is small, a join reads the whole chain for each row. Its number is a
 * subquery too: on PostgreSQL 15 a subtraction is no index condition under row-level security.
 */
export async function readLinks(
  tx: Tx,
  where: Prisma.Sql,
  order: 'ASC' | 'DESC',
  limit: number,
): Promise<Link[]> {
  const rows = await tx.$queryRaw<FoundLink[]>`
    SELECT e.seq, e.body, e.prev_hash, e.hash, e.at,
      (SELECT b.hash FROM audit_entries b WHERE b.merchant_id = e.merchant_id
        AND b.seq = (SELECT e.seq - 1)) AS hash_before,
      (SELECT
        jsonb_object_agg(p.field, jsonb_build_object('value', p.value, 'salt', encode(p.salt, 'hex')))
       FROM audit_personal p WHERE p.merchant_id = e.merchant_id AND p.seq = e.seq) AS personal
    FROM audit_entries e WHERE ${where} ORDER BY e.seq ${order === 'ASC' ? sql`ASC` : sql`DESC`}
      LIMIT ${limit}`;
  return rows.map((row) => ({
    seq: row.seq,
    body: row.body,
    prevHash: row.prev_hash,
    hash: row.hash,
    at: row.at,
    hashBefore: row.hash_before,
    personal: row.personal ?? {},
  }));
}

type FoundLink = Row<'audit_entries', 'seq' | 'body' | 'prev_hash' | 'hash' | 'at'> & {
  hash_before: Uint8Array | null;
  personal: PersonalValues | null;
};

/**
 * The head is a row of its own, so that removing entries from the end is detected: the head then
 * names a missing entry. Null before the first entry.
 */
export async function readHead(tx: Tx): Promise<{ seq: bigint; hash: Uint8Array } | null> {
  const [head] = await tx.$queryRaw<
    Row<'audit_heads', 'seq' | 'hash'>[]
  >`SELECT seq, hash FROM audit_heads WHERE seq > 0`;
  return head ?? null;
}

/** The conditions of a filter on an entry `e`. */
export function conditionsOf(filter: AuditFilter): Prisma.Sql {
  const all: Prisma.Sql[] = [sql`TRUE`];
  if (filter.who !== null) all.push(sql`e.actor = ${filter.who}`);
  if (filter.subject !== null) all.push(sql`e.subject = ${filter.subject}`);
  if (filter.action !== null)
    all.push(
      AUDIT_TOPICS.some((topic) => topic === filter.action)
        ? sql`e.action LIKE ${`${filter.action}.%`}`
        : sql`e.action IN (${filter.action}, ${EARLIER_NAMES.get(filter.action) ?? filter.action})`,
    );
  const zone = env().timeZone;
  if (filter.from !== null)
    all.push(
      sql`e.at >= ${daysRange({ from: filter.from, to: filter.from }, zone).from}::timestamptz`,
    );
  if (filter.to !== null)
    all.push(sql`e.at < ${daysRange({ from: filter.to, to: filter.to }, zone).to}::timestamptz`);
  return join(all, ' AND ');
}

export function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}
