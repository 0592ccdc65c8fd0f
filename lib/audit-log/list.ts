import 'server-only';
import { require } from '#lib/actor.ts';
import type { Person, Role } from '#lib/actor.ts';
import { daysRange } from '#lib/dates.ts';
import { join, inTransaction, sql } from '#lib/db.ts';
import type { Prisma, Tx } from '#lib/db.ts';
import { env } from '#lib/env.ts';
import { pageOf } from '#lib/keyset.ts';
import type { Paged, Place } from '#lib/keyset.ts';
import { AUDIT_TOPICS } from './filter.ts';
import type { AuditFilter, AuditQuery } from './filter.ts';
import { brokenLinks } from './verify.ts';
import type { BrokenLink } from './verify.ts';

const PAGE_ROWS = 50;

/** One link of the chain, told from its body: the columns beside it are only for searching. */
export type AuditEntry = {
  seq: string;
  at: string;
  who: { kind: 'person'; id: string; name: string; role: Role } | { kind: 'worker' } | { kind: 'provider' } | { kind: 'other'; text: string };
  action: string;
  subject: string;
  /** What else the entry says, in the order it was written; who, role, session and address of a person are in here too. */
  detail: [string, string][];
  /** Steps of a payment, when the entry is about one. */
  from: string | null;
  to: string | null;
  hash: string;
  prevHash: string;
  /** The very bytes that were hashed. */
  body: string;
};

export type AuditCheck = {
  /** How many entries were computed anew: those of the page. */
  checked: number;
  broken: BrokenLink[];
  /** The newest entry of the whole chain, and whether the head still names it. Null while the chain is empty. */
  head: { seq: string; hash: string; holds: boolean } | null;
};

/** One page of the trail, newest first, with the proof of exactly what is on it. */
export async function listAudit(actor: Person, { filter, place }: AuditQuery): Promise<Paged<AuditEntry> & { check: AuditCheck }> {
  require(actor, 'audit.read');
  return inTransaction(actor.merchantId, async (tx) => {
    const page = pageOf(await readLinks(tx, filter, place), place, PAGE_ROWS, (row) => row.seq.toString());
    const links = page.rows.map((row) => ({ seq: row.seq, body: row.body, prevHash: row.prev_hash, hash: row.hash, at: row.at, hashBefore: row.hash_before }));
    const check = { checked: links.length, broken: brokenLinks(links), head: await readHead(tx) };
    return { ...page, rows: page.rows.map(toEntry), check };
  });
}

type RawEntry = { seq: bigint; body: string; prev_hash: Uint8Array; hash: Uint8Array; at: Date; hash_before: Uint8Array | null };

function readLinks(tx: Tx, filter: AuditFilter, place: Place | null): Promise<RawEntry[]> {
  const order = place?.side === 'before' ? sql`ASC` : sql`DESC`;
  const beyond = place === null ? sql`TRUE` : place.side === 'after' ? sql`e.seq < ${BigInt(place.edge)}` : sql`e.seq > ${BigInt(place.edge)}`;
  return tx.$queryRaw<RawEntry[]>`
    SELECT e.seq, e.body, e.prev_hash, e.hash, e.at, b.hash AS hash_before
    FROM audit_entries e LEFT JOIN audit_entries b ON b.merchant_id = e.merchant_id AND b.seq = e.seq - 1
    WHERE ${conditionsOf(filter)} AND ${beyond} ORDER BY e.seq ${order} LIMIT ${PAGE_ROWS + 1}`;
}

/** The head is a row of its own: an entry cut off the end leaves it pointing at nothing. */
async function readHead(tx: Tx): Promise<AuditCheck['head']> {
  const [row] = await tx.$queryRaw<{ seq: bigint; hash: Uint8Array; last_seq: bigint | null; last_hash: Uint8Array | null }[]>`
    SELECT h.seq, h.hash, e.seq AS last_seq, e.hash AS last_hash
    FROM audit_heads h LEFT JOIN LATERAL (SELECT seq, hash FROM audit_entries WHERE merchant_id = h.merchant_id ORDER BY seq DESC LIMIT 1) e ON TRUE`;
  if (!row || row.seq === 0n) return null;
  const holds = row.last_seq === row.seq && row.last_hash !== null && Buffer.compare(row.last_hash, row.hash) === 0;
  return { seq: row.seq.toString(), hash: hex(row.hash), holds };
}

function toEntry(row: RawEntry): AuditEntry {
  const body = readBody(row.body);
  const detail = body.detail ?? {};
  return {
    seq: row.seq.toString(), at: body.at ?? row.at.toISOString(), who: whoOf(body.actor ?? '', detail), action: body.action ?? '', subject: body.subject ?? '',
    detail: Object.entries(detail).map(([name, value]) => [name, textOf(value)]),
    from: typeof detail.from === 'string' ? detail.from : null, to: typeof detail.to === 'string' ? detail.to : null,
    hash: hex(row.hash), prevHash: hex(row.prev_hash), body: row.body,
  };
}

type Body = { at?: string; actor?: string; action?: string; subject?: string; detail?: Record<string, unknown> };

/** A body that somebody tampered with may be anything; it is shown as it is, and its link is named as broken. */
function readBody(text: string): Body {
  try {
    const read: unknown = JSON.parse(text);
    return read !== null && typeof read === 'object' ? (read as Body) : {};
  } catch {
    return {};
  }
}

function whoOf(actor: string, detail: Record<string, unknown>): AuditEntry['who'] {
  if (actor === 'worker' || actor === 'provider') return { kind: actor };
  if (!actor.startsWith('person:')) return { kind: 'other', text: actor };
  return { kind: 'person', id: actor.slice('person:'.length), name: textOf(detail.name), role: textOf(detail.role) as Role };
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}

function conditionsOf(filter: AuditFilter): Prisma.Sql {
  const all: Prisma.Sql[] = [sql`TRUE`];
  if (filter.who !== null) all.push(sql`e.actor = ${filter.who}`);
  if (filter.subject !== null) all.push(sql`e.subject = ${filter.subject}`);
  if (filter.action !== null) all.push(AUDIT_TOPICS.some((topic) => topic === filter.action) ? sql`e.action LIKE ${`${filter.action}.%`}` : sql`e.action = ${filter.action}`);
  const zone = env().timeZone;
  if (filter.from !== null) all.push(sql`e.at >= ${daysRange({ from: filter.from, to: filter.from }, zone).from}::timestamptz`);
  if (filter.to !== null) all.push(sql`e.at < ${daysRange({ from: filter.to, to: filter.to }, zone).to}::timestamptz`);
  return join(all, ' AND ');
}
