import 'server-only';
import { HAS_LAPSED_A, IS_DISABLED_P } from '#lib/access/disabled-login.ts';
import { batchWaitsFor } from '#lib/batches/approval/waiting.ts';
import { APPROVAL_LIFE_MS } from '#lib/movements/schedule.ts';
import { waitsFor } from '#lib/approvals/waits-for.ts';
import { AUDIENCE_ROLES, AUDIENCES } from '#lib/cards/reminders/reminder.ts';
import { join, sql } from '#lib/runtime/db.ts';
import type { Prisma } from '#lib/runtime/db.ts';
import { env } from '#lib/runtime/env.ts';
import type { NotificationKind } from './kinds.ts';
import { askedOfSecondPeople } from './second-person-source.ts';

/**
 * For each kind, the stored facts of a span of time that somebody is to be told of: rows of
 * `person_id`, `thing`, `at` and `detail`. The sources read what other features have stored and
 * change nothing, so that no payment can fail because of a notification.
 */
export type FactSpan = { since: Date; now: Date };

/** So long a movement is left to the schedule before its unknown outcome is told. */
const UNKNOWN_MS = 30 * 60_000;
/**
 * A person's first device is that of the invitation, and not told, unless the person was added
 * longer ago than this: then it may be the sign-in of somebody else.
 */
const FIRST_DEVICE_DAYS = 30;

/** The name is the payee's, or the order of a card payment. */
const MOVEMENT_DETAIL = sql`jsonb_build_object('movement', m.kind,
  'cardPaymentId', m.card_payment_id, 'amount', m.amount_minor::text, 'currency', m.currency,
  'name', coalesce(nullif(m.name, ''), m.invoice_id, '…' || right(m.to_wallet, 4)))`;

/** Of a batch `b`: its file, its rows and their sum. */
const BATCH_DETAIL = sql`(SELECT jsonb_build_object('file', b.name, 'count', count(*),
  'amount', sum(w.amount_minor)::text, 'currency', b.currency)
  FROM batch_rows w WHERE w.batch_id = b.id)`;

/** When the run `r` of a batch runs out without its approvals. */
const BATCH_ENDS_R = sql`(r.began_at + make_interval(secs => ${APPROVAL_LIFE_MS / 1_000}))`;

/** Whether only owners may approve a movement `m`. */
const OWNERS_ONLY_M = sql`EXISTS (SELECT FROM approval_requirements r
  WHERE r.movement_id = m.id AND r.owners_only)`;

/** Whether a person `who`, with the one `represented`, has neither made a movement `m` nor approved it. */
const MAY_STILL_APPROVE_M = sql`NOT EXISTS (SELECT FROM movement_makers(m.id) AS maker
    WHERE maker IN (who.id, who.represented))
  AND NOT EXISTS (SELECT FROM approvals a WHERE a.movement_id = m.id AND (a.person_id = who.id
    OR coalesce(a.deputy_of, a.person_id) = coalesce(who.represented, who.id)))`;

/** Everybody who may approve now, as `lib/approvals/approvers.ts` reads them. */
const APPROVERS = sql`SELECT * FROM (SELECT p.id, p.role,
    deputy_for(p.id, clock_timestamp()) AS represented FROM people p WHERE NOT ${IS_DISABLED_P}) able
  WHERE role IN ('approver', 'owner') OR represented IS NOT NULL`;

export const SOURCES: Readonly<Record<NotificationKind, (span: FactSpan) => Prisma.Sql>> = {
  movement_rejected: ({ since }) =>
    ownMovements(sql`m.ended_at`, sql`m.state = 'REJECTED' AND m.ended_at > ${since}`),
  movement_failed: ({ since }) =>
    ownMovements(sql`m.ended_at`, sql`m.state = 'FAILED' AND m.ended_at > ${since}`),
  movement_returned: ({ since }) =>
    ownMovements(sql`m.returned_at`, sql`m.returned = 'CONFIRMED' AND m.returned_at > ${since}`),
  movement_unknown: ({ since, now }) =>
    ownMovements(
      sql`m.unclear_since + make_interval(secs => ${UNKNOWN_MS / 1_000})`,
      sql`m.state = 'UNKNOWN' AND m.unclear_since > ${since}
        AND m.unclear_since <= ${new Date(now.getTime() - UNKNOWN_MS)}`,
    ),
  movement_sent_back: ({ since }) =>
    ownMovements(
      sql`m.ended_at`,
      sql`m.state = 'CANCELLED' AND m.ended_at > ${since} AND EXISTS (SELECT FROM evidence e
        WHERE e.movement_id = m.id AND e.kind = 'sent_back')`,
    ),
  approval_expired: ({ since }) =>
    ownMovements(sql`m.state_since`, sql`m.state = 'EXPIRED' AND m.state_since > ${since}`),
  movement_released: ({ since }) => sql`
    SELECT m.maker_id AS person_id, 'movement:' || m.id AS thing, a.created_at AS at,
      ${MOVEMENT_DETAIL} || jsonb_build_object('by', p.name) AS detail
    FROM approvals a JOIN movements m ON m.id = a.movement_id JOIN people p ON p.id = a.person_id
    WHERE a.override_reason IS NOT NULL AND a.created_at > ${since}`,
  // One that a person paused is known to people already.
  batch_held: ({ since }) => sql`
    SELECT b.maker_id AS person_id, r.held_at AS at,
      'batch:' || b.id || ':' || floor(extract(epoch FROM r.held_at)) AS thing,
      jsonb_build_object('file', b.name, 'why', r.hold) AS detail
    FROM batch_runs r JOIN batches b ON b.id = r.batch_id
    WHERE r.held_by IS NULL AND r.held_at > ${since} AND r.stopped_at IS NULL`,
  batch_sent_back: ({ since }) => sql`
    SELECT b.maker_id AS person_id, r.stopped_at AS at, 'batch:' || b.id AS thing,
      ${BATCH_DETAIL} || jsonb_build_object('by', p.name) AS detail
    FROM batch_runs r JOIN batches b ON b.id = r.batch_id JOIN people p ON p.id = r.stopped_by
    WHERE r.sent_back_reason IS NOT NULL AND r.stopped_at > ${since}`,
  batch_expired: ({ since, now }) => sql`
    SELECT b.maker_id AS person_id, ${BATCH_ENDS_R} AS at, 'batch:' || b.id AS thing,
      ${BATCH_DETAIL} AS detail
    FROM batch_runs r JOIN batches b ON b.id = r.batch_id
    WHERE r.approved_at IS NULL AND ${BATCH_ENDS_R} > ${since} AND ${BATCH_ENDS_R} <= ${now}
      AND (r.stopped_at IS NULL OR r.stopped_at >= ${BATCH_ENDS_R})`,
  batch_asked: ({ since }) => sql`
    SELECT who.id AS person_id, r.began_at AS at, ${BATCH_DETAIL} AS detail,
      'batch:' || b.id AS thing
    FROM batch_runs r JOIN batches b ON b.id = r.batch_id CROSS JOIN (SELECT p.id, p.role,
      deputy_for(p.id, clock_timestamp()) AS represented FROM people p
      WHERE p.disabled_at IS NULL) who
    WHERE r.began_at > ${since} AND ${batchWaitsFor({
      id: sql`who.id`,
      role: sql`who.role`,
      represented: sql`who.represented`,
    })}`,
  // Everybody who may still approve it. What waits again because an approver was disabled is told
  // again.
  approval_asked: ({ since }) => sql`
    SELECT who.id AS person_id, m.state_since AS at, ${MOVEMENT_DETAIL} AS detail,
      'movement:' || m.id || (SELECT coalesce(':' || nullif(count(*), 0), '') FROM evidence e
        WHERE e.movement_id = m.id AND e.kind = 'approvals_lapsed') AS thing
    FROM movements m CROSS JOIN (SELECT p.id, p.role,
      deputy_for(p.id, clock_timestamp()) AS represented FROM people p) who
    WHERE m.state_since > ${since} AND ${waitsFor({
      id: sql`who.id`,
      role: sql`who.role`,
      represented: sql`who.represented`,
    })}`,
  // Fewer people may give an approval than are missing (`lib/approvals/eligible.ts`). A deputy and
  // the person represented are one.
  nobody_can_approve: ({ since }) => sql`
    SELECT told.id AS person_id, 'movement:' || m.id AS thing, m.state_since AS at,
      ${MOVEMENT_DETAIL} AS detail
    FROM movements m CROSS JOIN people told
    WHERE m.state = 'AWAITING_APPROVAL' AND m.state_since > ${since}
      AND (SELECT count(DISTINCT coalesce(who.represented, who.id)) FROM (${APPROVERS}) who
        WHERE (who.role = 'owner' OR NOT ${OWNERS_ONLY_M}) AND ${MAY_STILL_APPROVE_M})
      < (SELECT greatest(m.approvals_needed, max(r.needed)) FROM approval_requirements r
          WHERE r.movement_id = m.id)
        - (SELECT count(DISTINCT coalesce(a.deputy_of, a.person_id)) FROM approvals a
          WHERE a.movement_id = m.id AND (a.role = 'owner' OR NOT ${OWNERS_ONLY_M})
            AND NOT ${HAS_LAPSED_A})`,
  second_person_asked: ({ since }) => askedOfSecondPeople(since),
  // Not where it has been ended by now.
  deputy_named: ({ since }) =>
    deputyships(sql`d.confirmed_at`, sql`d.confirmed_at > ${since} AND d.ended_at IS NULL`),
  // Its time is over, or somebody has ended it before.
  deputy_ended: ({ since, now }) =>
    deputyships(
      sql`coalesce(d.ended_at, d.ends_at)`,
      sql`d.confirmed_at IS NOT NULL AND coalesce(d.ended_at, d.ends_at) > ${since}
        AND coalesce(d.ended_at, d.ends_at) <= ${now}`,
    ),
  // A reminder that a colleague has taken care of, or whose authorization has ended, notifies nobody.
  authorization_lapses: ({ since }) => sql`
    SELECT who.id AS person_id, 'card:' || r.payment_id || ':' || r.hours AS thing, r.made_at AS at,
      jsonb_build_object('invoice', p.invoice_id, 'amount', p.amount_minor::text,
        'currency', p.currency, 'hours', r.hours) AS detail
    FROM card_reminders r JOIN card_payments p ON p.id = r.payment_id
    JOIN (VALUES ${join(audienceRoles())}) AS a (audience, role) ON a.audience = r.audience
    JOIN people who ON who.role = a.role
    WHERE r.made_at > ${since} AND r.seen_at IS NULL AND p.state = 'held'`,
  // One for a compared day and the day on which they were found, however many there are, and not
  // while the comparison of the day is under way: the count would be that of its first page.
  difference_found: ({ since }) => sql`
    SELECT who.id AS person_id, f.thing, f.at, f.detail FROM (
      SELECT 'reconciliation:' || d.day || ':' || o.day AS thing, max(d.found_at) AS at,
        jsonb_build_object('day', d.day, 'count', count(*)) AS detail
      FROM differences d JOIN reconciliations r ON r.day = d.day
        CROSS JOIN LATERAL (SELECT (d.found_at AT TIME ZONE ${env().timeZone})::date AS day) o
      WHERE d.state = 'OPEN' AND d.found_at > ${since}
        AND (r.lease_until IS NULL OR r.lease_until < clock_timestamp())
      GROUP BY d.day, o.day) f CROSS JOIN people who`,
  totals_differ: ({ since }) => sql`
    SELECT who.id AS person_id, 'totals:' || c.day AS thing, c.at,
      jsonb_build_object('count', c.wrong) AS detail
    FROM movement_total_checks c CROSS JOIN people who WHERE c.wrong > 0 AND c.at > ${since}`,
  new_device: ({ since }) => sql`
    SELECT d.person_id, 'device:' || d.id AS thing, d.created_at AS at,
      jsonb_build_object('agent', s.user_agent, 'ip', s.ip) AS detail
    FROM known_devices d JOIN people owner ON owner.id = d.person_id
    LEFT JOIN LATERAL (SELECT o.user_agent, o.ip FROM sessions o
      WHERE o.device_id = d.id ORDER BY o.created_at LIMIT 1) s ON TRUE
    WHERE d.created_at > ${since}
      AND (owner.created_at < d.created_at - make_interval(days => ${FIRST_DEVICE_DAYS})
        OR EXISTS (SELECT FROM known_devices e
          WHERE e.person_id = d.person_id AND e.created_at < d.created_at))`,
};

/** Told to whoever made the movement. */
function ownMovements(at: Prisma.Sql, condition: Prisma.Sql): Prisma.Sql {
  return sql`
    SELECT m.maker_id AS person_id, 'movement:' || m.id AS thing, ${at} AS at,
      ${MOVEMENT_DETAIL} AS detail
    FROM movements m WHERE ${condition}`;
}

/** Told to the deputy and to the person represented. */
function deputyships(at: Prisma.Sql, condition: Prisma.Sql): Prisma.Sql {
  return sql`
    SELECT told.person_id, 'deputy:' || d.id AS thing, ${at} AS at,
      jsonb_build_object('name', q.name, 'of', p.name, 'day', d.first_day, 'last', d.last_day)
        AS detail
    FROM deputyships d JOIN people p ON p.id = d.person_id JOIN people q ON q.id = d.deputy_id
    CROSS JOIN LATERAL (VALUES (d.person_id), (d.deputy_id)) AS told (person_id)
    WHERE ${condition}`;
}

function audienceRoles(): Prisma.Sql[] {
  return AUDIENCES.flatMap((audience) =>
    AUDIENCE_ROLES[audience].map((role) => sql`(${audience}::text, ${role}::text)`),
  );
}
