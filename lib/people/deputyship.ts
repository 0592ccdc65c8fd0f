import 'server-only';
import type { Role } from '#lib/access/actor.ts';
import { Refusal } from '#lib/access/refusal.ts';
import type { AuditDetail } from '#lib/audit/append.ts';
import { sql } from '#lib/runtime/db.ts';
import type { Row, Tx } from '#lib/runtime/db.ts';
import { canBeRepresented, canStandIn } from './deputy-rules.ts';

/** A deputyship as its row says, with the names of the two; the days 'YYYY-MM-DD' in Istanbul. */
export type Deputyship = Row<
  'deputyships',
  'id' | 'person_id' | 'deputy_id' | 'starts_at' | 'ends_at' | 'confirmed_at' | 'ended_at'
> & { first_day: string; last_day: string; person: string; deputy: string };

const DEPUTYSHIP = sql`d.id, d.person_id, d.deputy_id, d.starts_at, d.ends_at, d.confirmed_at,
  d.ended_at, d.first_day::text, d.last_day::text, p.name AS person, q.name AS deputy
  FROM deputyships d JOIN people p ON p.id = d.person_id JOIN people q ON q.id = d.deputy_id`;

/**
 * The deputyships that are not over: waiting for a second person, coming and present. The first to
 * begin first.
 */
export async function openDeputyships(tx: Tx): Promise<Deputyship[]> {
  return tx.$queryRaw<Deputyship[]>`
    SELECT ${DEPUTYSHIP} WHERE d.ended_at IS NULL AND d.ends_at > clock_timestamp()
    ORDER BY d.starts_at, d.id`;
}

/**
 * The caller holds the lock on the people of the merchant, so the row is as it stands.
 *
 * @throws Refusal not_found, deputy_ended: it was ended, or its last day is over
 */
export async function openDeputyship(tx: Tx, id: string): Promise<Deputyship> {
  const [row] = await tx.$queryRaw<(Deputyship & { now: Date })[]>`
    SELECT clock_timestamp() AS now, ${DEPUTYSHIP} WHERE d.id = ${id}::uuid`;
  if (!row) throw new Refusal('not_found');
  if (row.ended_at !== null || row.ends_at <= row.now) throw new Refusal('deputy_ended');
  return row;
}

type Party = { id: string; role: Role; disabled_at: Date | null };

/** @throws Refusal deputy_people */
export function assertPair(person: Party, deputy: Party): void {
  const isOpen = person.disabled_at === null && deputy.disabled_at === null;
  if (!isOpen || !canBeRepresented(person.role) || !canStandIn(deputy.role))
    throw new Refusal('deputy_people');
}

/**
 * A person has one deputy at a time, and a deputy stands in for one person at a time. `open`: the
 * deputyships that are not over.
 *
 * @throws Refusal deputy_overlaps
 */
export function assertFree(
  open: readonly Deputyship[],
  wanted: Pick<Deputyship, 'person_id' | 'deputy_id' | 'first_day' | 'last_day'>,
): void {
  const taken = open.some(
    (one) =>
      one.confirmed_at !== null &&
      isOfEither(one, wanted) &&
      one.first_day <= wanted.last_day &&
      one.last_day >= wanted.first_day,
  );
  if (taken) throw new Refusal('deputy_overlaps');
}

export function isOfEither(
  one: Pick<Deputyship, 'person_id' | 'deputy_id'>,
  other: Pick<Deputyship, 'person_id' | 'deputy_id'>,
): boolean {
  return one.person_id === other.person_id || one.deputy_id === other.deputy_id;
}

/** What the audit row of a deputyship says: an outsider checks approvals of deputies by it. */
export function deputyDetail(row: Deputyship): AuditDetail {
  return {
    deputyship: row.id,
    of: row.person_id,
    from: row.starts_at.toISOString(),
    until: row.ends_at.toISOString(),
  };
}
