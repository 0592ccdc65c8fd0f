import { rows } from '../database.ts';

/** What our own database says of every payout, looked at as its owner. */
export type Book = {
  id: string; ext_id: string; iban: string; state: string; attention: string | null; sends: number; attempts: number; bodies: number; steps: number; audited: number; unknowns: number;
  /** The resends that are allowed are used up, or the provider has said that it knows the reference: a person decides. */
  given_up: boolean;
};

const GIVEN_UP = `(m.state = 'UNKNOWN' AND m.not_found_reads >= 3 AND (m.duplicate_seen OR m.sends - m.not_sent_tries - m.iban_waits > 2))`;
const OPEN = `('DRAFT', 'AWAITING_APPROVAL', 'APPROVED', 'SUBMITTING', 'UNKNOWN', 'PENDING', 'MANUAL_REVIEW')`;

export function readBooks(): Promise<Book[]> {
  return rows<Book>(`
    SELECT m.id, m.ext_id, m.iban, m.state, m.attention, m.sends, ${GIVEN_UP} AS given_up,
      (SELECT count(*)::int FROM attempts a WHERE a.movement_id = m.id) AS attempts,
      (SELECT count(DISTINCT body_hash)::int FROM attempts a WHERE a.movement_id = m.id) AS bodies,
      (SELECT count(*)::int FROM evidence e WHERE e.movement_id = m.id AND e.state_before <> e.state_after) AS steps,
      (SELECT count(*)::int FROM evidence e WHERE e.movement_id = m.id AND e.state_before <> 'UNKNOWN' AND e.state_after = 'UNKNOWN') AS unknowns,
      (SELECT count(*)::int FROM audit_entries a WHERE a.merchant_id = m.merchant_id AND a.subject = 'movement:' || m.id
         AND a.body::jsonb #>> '{detail,from}' <> a.body::jsonb #>> '{detail,to}') AS audited
    FROM movements m`);
}

/** How many have been sent at least once, and how many are neither at their end nor left to a person. */
export async function progress(): Promise<{ sent: number; open: number }> {
  const [row] = await rows<{ sent: number; open: number }>(`
    SELECT count(*) FILTER (WHERE m.sends > 0)::int AS sent, count(*) FILTER (WHERE m.state IN ${OPEN} AND NOT ${GIVEN_UP})::int AS open FROM movements m`);
  return row!;
}

/** A worker that has not begun to send by now (claim-rules.ts) never will: what holds a lease of that age is dead or is being answered. */
const CERTAIN_AFTER = `interval '16 s'`;
const LEASE = `interval '45 s'`;

/**
 * Lets the waiting go faster than the clock: leases of the dead run out, gates open, looks fall due. Only what is older than any
 * send that could still begin, so that no rule is bent by it.
 */
export async function hurry(): Promise<void> {
  await rows(`UPDATE movements SET lease_until = clock_timestamp() - interval '1 ms' WHERE lease_until > clock_timestamp() AND lease_until - ${LEASE} < clock_timestamp() - ${CERTAIN_AFTER}`);
  await rows(`UPDATE iban_gates SET last_send_at = 'epoch' WHERE last_send_at < clock_timestamp() - ${CERTAIN_AFTER}`);
  await askNow();
}

/** What "ask now" does, for everything that is open: only the next look is pulled, and what it may do is decided as ever. */
export async function askNow(): Promise<void> {
  await rows(`UPDATE movements m SET next_at = clock_timestamp() WHERE state IN ${OPEN} AND next_at > clock_timestamp() AND (lease_until IS NULL OR lease_until < clock_timestamp())`);
}

export type Stored = {
  state: string; attention: string | null; sends: number; attempts: number; not_sent_tries: number; ever_ambiguous: boolean; leased: boolean;
  /** What was heard or noted, in order; a late one was heard after its lease. */
  heard: string[];
};

/** One payout as it is stored. */
export async function stored(id: string): Promise<Stored> {
  const [row] = await rows<Stored>(
    `SELECT m.state, m.attention, m.sends, m.not_sent_tries, m.ever_ambiguous, m.lease_until > clock_timestamp() IS TRUE AS leased,
       (SELECT count(*)::int FROM attempts a WHERE a.movement_id = m.id) AS attempts,
       ARRAY(SELECT concat_ws(' ', CASE WHEN (e.detail ->> 'late')::boolean THEN 'late' END, e.kind, e.detail ->> 'kind') FROM evidence e WHERE e.movement_id = m.id ORDER BY e.id) AS heard
     FROM movements m WHERE m.id = $1`, [id]);
  return row!;
}

/** Whoever holds it is dead, or suspended for longer than its lease. */
export async function lapse(id: string): Promise<void> {
  await rows(`UPDATE movements SET lease_until = clock_timestamp() - interval '1 ms', next_at = clock_timestamp() WHERE id = $1 AND lease_until > clock_timestamp()`, [id]);
}

/** Nobody waits for its next look, or for the minute of its IBAN. */
export async function hasten(id: string): Promise<void> {
  await rows(`UPDATE iban_gates SET last_send_at = 'epoch' WHERE iban = (SELECT iban FROM movements WHERE id = $1)`, [id]);
  await rows(`UPDATE movements SET next_at = clock_timestamp() WHERE id = $1 AND state <> 'SUBMITTING' AND next_at > clock_timestamp() AND lease_until IS NULL`, [id]);
}
