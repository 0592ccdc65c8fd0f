import 'server-only';
import { IS_DISABLED_P } from '#lib/access/disabled-login.ts';
import { join, sql } from '#lib/runtime/db.ts';
import type { Prisma } from '#lib/runtime/db.ts';
import { SUBJECT_KINDS, speakersOf } from '#lib/second-person/requests.ts';
import { WORD_LIFE_MS } from '#lib/second-person/standing.ts';

/**
 * Everybody who may be the second person of an open request, once for each first statement: not who
 * has made one, not whom the request is about, no other account of theirs, and only who can make up
 * the role that is missing. While two people contradict each other nobody can confirm it.
 */
export function askedOfSecondPeople(since: Date): Prisma.Sql {
  return sql`
    WITH speaks (subject, role) AS (VALUES ${join(speakers())}),
    latest AS (SELECT DISTINCT ON (w.request_id, w.person_id) w.id, w.request_id, w.person_id,
        w.claim, w.at, p.name, p.role = 'owner' OR (p.role = 'approver' AND r.needs = 'approver')
          AS senior, r.maker_id
      FROM second_person_words w JOIN second_person_requests r ON r.id = w.request_id
        JOIN people p ON p.id = w.person_id AND NOT ${IS_DISABLED_P}
        JOIN speaks s ON s.subject = r.subject_kind AND s.role = p.role
      WHERE r.closed_at IS NULL ORDER BY w.request_id, w.person_id, w.id DESC),
    counting AS (SELECT * FROM latest WHERE claim IS NOT NULL
      AND person_id IS DISTINCT FROM maker_id AND at > ${since}
      AND at > clock_timestamp() - make_interval(secs => ${WORD_LIFE_MS / 1_000})),
    asked AS (SELECT request_id, min(at) AS at, min(id) AS word, bool_or(senior) AS has_senior,
        (array_agg(name ORDER BY at))[1] AS by, array_agg(person_id) AS people
      FROM counting GROUP BY request_id HAVING count(DISTINCT claim) = 1)
    SELECT who.id AS person_id, 'request:' || r.id || ':' || a.word AS thing, a.at,
      jsonb_build_object('by', a.by, 'subject', CASE WHEN r.subject_id LIKE '% limits' THEN 'limits'
        WHEN r.subject_id LIKE 'keys:%' THEN 'keys' ELSE r.subject_kind END) AS detail
    FROM asked a JOIN second_person_requests r ON r.id = a.request_id
      JOIN speaks s ON s.subject = r.subject_kind JOIN people who ON who.role = s.role
    WHERE (a.has_senior OR who.role = 'owner' OR (who.role = 'approver' AND r.needs = 'approver'))
      AND NOT EXISTS (SELECT FROM same_login(who.id) AS own
        WHERE own = r.maker_id OR own = ANY(a.people))`;
}

function speakers(): Prisma.Sql[] {
  return SUBJECT_KINDS.flatMap((kind) =>
    speakersOf(kind).map((role) => sql`(${kind}::text, ${role}::text)`),
  );
}
