import 'server-only';
import { assertMay, ROLES } from '#lib/access/actor.ts';
import type { Person, Role } from '#lib/access/actor.ts';
import { inTransaction, sql } from '#lib/runtime/db.ts';
import { errorFields, log } from '#lib/runtime/log.ts';
import { pageOf } from '#lib/values/keyset.ts';
import type { Paged } from '#lib/values/keyset.ts';
import { linkQueue } from './append.ts';
import { readChainState } from './chain-state.ts';
import type { ChainState } from './chain-state.ts';
import type { AuditQuery } from './filter.ts';
import { conditionsOf, hex, readLinks } from './links.ts';
import { brokenLinks } from './verify.ts';
import type { BrokenLink, Link } from './verify.ts';

const PAGE_ROWS = 50;

/**
 * One link of the chain, read from its body: the columns beside the body are only for searching.
 */
export type AuditEntry = {
  seq: string;
  at: string;
  /** `name` is null after erasure. */
  who:
    | { kind: 'person'; id: string; name: string | null; role: Role | null }
    | { kind: 'worker' }
    | { kind: 'provider' }
    | { kind: 'other'; text: string };
  action: string;
  subject: string;
  /** The remaining fields of the entry, including a person's role and session. */
  detail: [string, string][];
  /** Personal values by field; null: the entry has a commitment to a value that was erased. */
  personal: [string, string | null][];
  /** States of a payment, when the entry is about one. */
  from: string | null;
  to: string | null;
  hash: string;
  prevHash: string;
  /** The exact bytes that were hashed. */
  body: string;
};

/** `checked`: how many entries were recomputed, i.e. those of the page. */
export type AuditCheck = ChainState & { checked: number; broken: BrokenLink[] };

/** One page of the trail, newest first, with the proof of exactly the entries on it. */
export async function listAudit(
  actor: Person,
  { filter, place }: AuditQuery,
): Promise<Paged<AuditEntry> & { check: AuditCheck }> {
  assertMay(actor, 'audit.read');
  // The page can be read also where nothing can be linked: on a read-only database, and while
  // another transaction holds the chain. It says what is not linked then.
  await linkQueue(actor.merchantId).catch((error: unknown) =>
    log.warn('queued audit entries were not linked', errorFields(error)),
  );
  return inTransaction(actor.merchantId, async (tx) => {
    const beyond =
      place === null
        ? sql`TRUE`
        : place.side === 'after'
          ? sql`e.seq < ${BigInt(place.edge)}`
          : sql`e.seq > ${BigInt(place.edge)}`;
    const links = await readLinks(
      tx,
      sql`${conditionsOf(filter)} AND ${beyond}`,
      place?.side === 'before' ? 'ASC' : 'DESC',
      PAGE_ROWS + 1,
    );
    const page = pageOf(links, place, PAGE_ROWS, (link) => link.seq.toString());
    const check = {
      checked: page.rows.length,
      broken: brokenLinks(page.rows),
      ...(await readChainState(tx)),
    };
    return { ...page, rows: page.rows.map(toEntry), check };
  });
}

function toEntry(link: Link): AuditEntry {
  const body = readBody(link.body);
  const detail = body.detail ?? {};
  const personal = Object.keys(body.personal ?? {})
    .sort()
    .map((field): [string, string | null] => [field, link.personal[field]?.value ?? null]);
  return {
    seq: link.seq.toString(),
    at: body.at ?? link.at.toISOString(),
    who: whoOf(body.actor ?? '', detail, link),
    action: body.action ?? '',
    subject: body.subject ?? '',
    detail: Object.entries(detail).map(([name, value]) => [name, textOf(value)]),
    personal,
    from: typeof detail.from === 'string' ? detail.from : null,
    to: typeof detail.to === 'string' ? detail.to : null,
    hash: hex(link.hash),
    prevHash: hex(link.prevHash),
    body: link.body,
  };
}

type Body = {
  at?: string;
  actor?: string;
  action?: string;
  subject?: string;
  detail?: Record<string, unknown>;
  personal?: Record<string, unknown>;
};

/** A tampered body may be anything: it is shown unparsed, and its link is reported as broken. */
function readBody(text: string): Body {
  try {
    const read: unknown = JSON.parse(text);
    return read !== null && typeof read === 'object' ? read : {};
  } catch {
    return {};
  }
}

/**
 * The author of an entry. In old entries, from before personal values were stored beside the chain,
 * the name is in the detail.
 */
function whoOf(actor: string, detail: Record<string, unknown>, link: Link): AuditEntry['who'] {
  if (actor === 'worker' || actor === 'provider') return { kind: actor };
  if (!actor.startsWith('person:')) return { kind: 'other', text: actor };
  return {
    kind: 'person',
    id: actor.slice('person:'.length),
    name: link.personal.name?.value ?? (typeof detail.name === 'string' ? detail.name : null),
    role: ROLES.find((role) => role === detail.role) ?? null,
  };
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
