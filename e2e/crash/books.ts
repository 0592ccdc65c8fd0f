import { rows } from '../database.ts';
import type { Kind } from './plan.ts';

/** What our own database says of every operation, read as the owner of the database. */
export type Book = {
  id: string;
  kind: Kind;
  state: string;
  alert: string | null;
  /** The provider's reference of the operation; null for a plan's charge, which has none. */
  reference: string | null;
  /** How many requests may have left, as counted in the row and in the attempts. */
  sends: number;
  attempts: number;
  /** Distinct request bodies that were sent. */
  bodies: number;
  /** How many state changes the operation had, and how many of them the audit log has. */
  steps: number;
  audited: number;
  /** How often the outcome was unknown. */
  unknowns: number;
  /** Whether the operation waits for a person, because no automatic check will decide it. */
  waits: boolean;
};

const STORM_KINDS = `(VALUES ('payout', 'payout'), ('cashout', 'card_balance_payout'),
  ('card_capture', 'capture'), ('card_release', 'void'), ('card_refund', 'refund')) AS k(stored, kind)`;
/**
 * When an operation waits for a person. Bank payout: the allowed resends are used up, or the
 * provider answered that it already has the reference. Card operation: repeated reads of its record
 * show nothing. Card-balance payout: the gateway has no query for it.
 */
const WAITS = `(m.state = 'UNKNOWN' AND CASE
  WHEN m.kind = 'cashout' THEN TRUE
  WHEN m.kind LIKE 'card_%' THEN m.alert = 'mismatch'
    OR (m.not_found_reads >= 3 AND m.last_read_at > m.last_send_at + interval '10 s')
  ELSE m.not_found_reads >= 3 AND (m.duplicate_seen OR m.sends - m.not_sent_tries - m.iban_waits > 2) END)`;
const OPEN = `('DRAFT', 'AWAITING_APPROVAL', 'APPROVED', 'SUBMITTING', 'UNKNOWN', 'PENDING', 'MANUAL_REVIEW')`;
/**
 * A card-balance payout is not open any more once the gateway has accepted it: no further state is
 * ever reported.
 */
const IS_OPEN = `(m.state IN ${OPEN} AND NOT (m.kind = 'cashout' AND m.state IN ('PENDING', 'MANUAL_REVIEW')))`;
const OPEN_CHARGE = `('QUEUED', 'SENDING', 'APPROVED', 'UNKNOWN')`;
/**
 * A charge waits for a person when its plan's record was read often enough, long after any request
 * could still arrive, and shows no charge.
 */
const CHARGE_WAITS = `(c.state = 'UNKNOWN' AND c.reads >= 4 AND c.sent_at < clock_timestamp() - interval '15 s')`;
const CHARGE_AUDIT = `audit_entries a WHERE a.merchant_id = c.merchant_id
  AND a.subject = 'plan:' || c.plan_id AND a.body::jsonb #>> '{detail,charge}' = c.id::text`;

export async function readBooks(): Promise<Book[]> {
  const [movements, charges] = await Promise.all([
    rows<Book>(`
      SELECT m.id, k.kind, m.ext_id AS reference, m.state, m.alert, m.sends, ${WAITS} AS waits,
        (SELECT count(*)::int FROM attempts a WHERE a.movement_id = m.id) AS attempts,
        (SELECT count(DISTINCT body_hash)::int FROM attempts a WHERE a.movement_id = m.id) AS bodies,
        (SELECT count(*)::int FROM evidence e WHERE e.movement_id = m.id
          AND e.state_before <> e.state_after) AS steps,
        (SELECT count(*)::int FROM evidence e WHERE e.movement_id = m.id
          AND e.state_before <> 'UNKNOWN' AND e.state_after = 'UNKNOWN') AS unknowns,
        (SELECT count(*)::int FROM (
          SELECT body::jsonb -> 'detail' AS detail FROM audit_entries
            WHERE merchant_id = m.merchant_id AND subject = 'movement:' || m.id
          UNION ALL SELECT detail FROM audit_queue WHERE subject = 'movement:' || m.id) a
          WHERE a.detail ->> 'from' <> a.detail ->> 'to') AS audited
      FROM movements m JOIN ${STORM_KINDS} ON k.stored = m.kind`),
    // The steps of a charge: requested, sent, answered or given up, ended. The state or the reason
    // of an ended charge says whether it was answered. One that was never sent may end after it was
    // given up, when a suspended worker wakes and proves it; only the audit log shows that.
    rows<Book>(`
      SELECT c.id, 'plan_charge' AS kind, NULL AS reference, c.state, c.reason AS alert,
        ${CHARGE_WAITS} AS waits,
        (c.sent_at IS NOT NULL)::int AS sends, (c.sent_at IS NOT NULL)::int AS attempts, 1 AS bodies,
        1 + (c.sent_at IS NOT NULL)::int + (c.ended_at IS NOT NULL)::int
          + (c.state IN ('APPROVED', 'UNKNOWN', 'CHARGED')
            OR c.reason IN ('declined', 'not_in_record')
            OR EXISTS (SELECT FROM ${CHARGE_AUDIT}
              AND a.body::jsonb #>> '{detail,to}' = 'UNKNOWN'))::int AS steps,
        (SELECT count(*)::int FROM ${CHARGE_AUDIT} AND a.action LIKE 'card.plan_charge_%') AS audited,
        (SELECT count(*)::int FROM ${CHARGE_AUDIT} AND a.body::jsonb #>> '{detail,to}' = 'UNKNOWN')
          AS unknowns
      FROM plan_charges c`),
  ]);
  return [...movements, ...charges];
}

/** The last readings of a payment's record failed; the next one is minutes away. */
const UNANSWERED = `(tries > 0 AND verified_at IS NOT NULL AND next_at IS NOT NULL)`;

/**
 * How many operations have been sent, and how many are neither final nor waiting for a person.
 * Overdue reads of order records count as open: the pages show what those records say.
 */
export async function progress(): Promise<{ sent: number; open: number }> {
  const [row] = await rows<{ sent: number; open: number }>(`
    SELECT (SELECT count(*) FROM movements WHERE sends > 0)::int + (SELECT count(*)
      FROM plan_charges WHERE sent_at IS NOT NULL OR ended_at IS NOT NULL)::int AS sent,
      (SELECT count(*) FROM movements m WHERE ${IS_OPEN} AND NOT ${WAITS})::int
        + (SELECT count(*) FROM plan_charges c WHERE c.state IN ${OPEN_CHARGE}
          AND NOT ${CHARGE_WAITS})::int
        + (SELECT count(*) FROM card_payments WHERE next_at < clock_timestamp() - interval '2 s'
          OR ${UNANSWERED})::int AS open`);
  return row!;
}

/** The operations that are being sent, each with a lease that no other send has. */
export function heldLeases(): Promise<{ kind: Kind; lease: string }[]> {
  return rows(`
    SELECT k.kind, m.id || ' ' || m.lease_until AS lease FROM movements m JOIN ${STORM_KINDS} ON k.stored = m.kind
      WHERE m.state = 'SUBMITTING' AND m.lease_until > clock_timestamp()
    UNION ALL SELECT 'plan_charge', c.id || ' ' || c.lease_until FROM plan_charges c
      WHERE c.state IN ('QUEUED', 'SENDING') AND c.lease_until > clock_timestamp()`);
}

/**
 * A worker that has not begun to send by this time after its claim (claim-rules.ts) never will: the
 * holder of such an old lease is dead or waits for a response.
 */
const CERTAIN_AFTER = `interval '16 s'`;
const LEASE = `interval '45 s'`;
const CHARGE_LEASE = `interval '60 s'`;

/**
 * Shortens waiting times: expires the leases of dead workers, resets rate limits, makes checks due.
 * It changes only rows that are older than any send that could still begin, so that no rule is
 * bypassed.
 */
export async function hurry(): Promise<void> {
  await rows(
    `UPDATE movements SET lease_until = clock_timestamp() - interval '1 ms'
      WHERE lease_until > clock_timestamp()
      AND lease_until - ${LEASE} < clock_timestamp() - ${CERTAIN_AFTER}`,
  );
  await rows(
    `UPDATE plan_charges SET lease_until = clock_timestamp() - interval '1 ms'
      WHERE lease_until > clock_timestamp()
      AND lease_until - ${CHARGE_LEASE} < clock_timestamp() - ${CERTAIN_AFTER}`,
  );
  await rows(
    `UPDATE iban_gates SET last_send_at = 'epoch' WHERE last_send_at < clock_timestamp() - ${CERTAIN_AFTER}`,
  );
  await rows(
    `UPDATE card_payments SET next_at = clock_timestamp()
      WHERE ${UNANSWERED} AND next_at > clock_timestamp() + interval '10 s'`,
  );
  await checkNow();
}

/**
 * Does what "ask now" does, for every open operation: it makes only the next check due, and the
 * usual rules decide what the check may do.
 */
export async function checkNow(): Promise<void> {
  await rows(
    `UPDATE movements m SET next_at = clock_timestamp() WHERE state IN ${OPEN}
      AND next_at > clock_timestamp() AND (lease_until IS NULL OR lease_until < clock_timestamp())`,
  );
  await rows(`UPDATE recurring_plans SET next_at = clock_timestamp() WHERE next_at > clock_timestamp()
    AND id IN (SELECT plan_id FROM plan_charges WHERE state IN ('APPROVED', 'UNKNOWN'))`);
}

export type Stored = {
  state: string;
  alert: string | null;
  sends: number;
  attempts: number;
  not_sent_tries: number;
  ever_ambiguous: boolean;
  leased: boolean;
  /** Responses and notes in order. "late" marks a response that arrived after its lease expired. */
  evidence: string[];
};

/** A payout as the database has it. */
export async function stored(id: string): Promise<Stored> {
  const [row] = await rows<Stored>(
    `SELECT m.state, m.alert, m.sends, m.not_sent_tries, m.ever_ambiguous,
      m.lease_until > clock_timestamp() IS TRUE AS leased,
       (SELECT count(*)::int FROM attempts a WHERE a.movement_id = m.id) AS attempts,
       ARRAY(SELECT concat_ws(' ', CASE WHEN (e.detail ->> 'late')::boolean THEN 'late' END, e.kind,
         e.detail ->> 'kind') FROM evidence e WHERE e.movement_id = m.id ORDER BY e.id) AS evidence
     FROM movements m WHERE m.id = $1`,
    [id],
  );
  return row!;
}

/**
 * Expires the lease of an operation whose worker is dead, or was suspended for longer than the
 * lease.
 */
export async function lapse(id: string): Promise<void> {
  await rows(
    `UPDATE movements SET lease_until = clock_timestamp() - interval '1 ms',
      next_at = clock_timestamp() WHERE id = $1 AND lease_until > clock_timestamp()`,
    [id],
  );
  await rows(
    `UPDATE plan_charges SET lease_until = clock_timestamp() - interval '1 ms' WHERE id = $1
      AND lease_until > clock_timestamp()`,
    [id],
  );
}

/** Makes the payout's next check due, and resets the one-minute limit of its IBAN. */
export async function hasten(id: string): Promise<void> {
  await rows(
    `UPDATE iban_gates SET last_send_at = 'epoch' WHERE iban = (SELECT iban FROM movements WHERE id = $1)`,
    [id],
  );
  await rows(
    `UPDATE movements SET next_at = clock_timestamp() WHERE id = $1 AND state <> 'SUBMITTING'
      AND next_at > clock_timestamp() AND lease_until IS NULL`,
    [id],
  );
}
