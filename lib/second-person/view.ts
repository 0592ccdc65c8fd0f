import 'server-only';
import type { Person, Role } from '#lib/access/actor.ts';
import { IS_DISABLED_P } from '#lib/access/disabled-login.ts';
import { inOne, sql } from '#lib/runtime/db.ts';
import type { Row } from '#lib/runtime/db.ts';
import { latestWords, standingOf } from './standing.ts';
import type { Senior, Standing, Word } from './standing.ts';
import type { SecondPersonView } from './view-model.ts';
import { speakersOf } from './requests.ts';
import type { Subject } from './requests.ts';

type StoredWord = Row<
  'second_person_requests',
  'subject_id' | 'bound_to' | 'maker_id' | 'needs' | 'closed_at' | 'outcome',
  { needs: Senior }
> &
  Row<'second_person_words', 'person_id' | 'claim' | 'reason' | 'reference' | 'at'> &
  Row<'people', 'name' | 'role', { role: Role }> & {
    request_id: string;
    now: Date;
    may_speak: boolean;
  };

/**
 * The statements on each of these subjects: in the open request, or in the one that ended it.
 * `boundTo`: the current state of each; statements about an earlier state are left out. Keyed by
 * subject, without subjects that have no statement. Times ISO.
 */
export async function secondPersonViews(
  actor: Person,
  kind: Subject['kind'],
  boundTo: ReadonlyMap<string, string>,
): Promise<Map<string, SecondPersonView>> {
  if (boundTo.size === 0) return new Map();
  const rows = await inOne<StoredWord>(
    actor.merchantId,
    sql`
    SELECT r.subject_id, r.id AS request_id, r.bound_to, r.maker_id, r.needs, r.closed_at,
      r.outcome, clock_timestamp() AS now, w.person_id, p.name, p.role, NOT ${IS_DISABLED_P}
      AND p.role = ANY(${speakersOf(kind)}::text[]) AS may_speak, w.claim, w.reason, w.reference, w.at
    FROM second_person_requests r JOIN second_person_words w ON w.request_id = r.id
      JOIN people p ON p.id = w.person_id
    WHERE r.subject_kind = ${kind} AND r.subject_id = ANY(${[...boundTo.keys()]}::text[])
      AND (r.closed_at IS NULL OR r.outcome IS NOT NULL)
    ORDER BY r.opened_at, w.id`,
  );
  const views = new Map<string, SecondPersonView>();
  for (const [subject, of] of Map.groupBy(rows, (row) => row.subject_id)) {
    const latest = of.at(-1)!.request_id;
    const own = of.filter(
      (row) =>
        row.request_id === latest &&
        (row.closed_at !== null || row.bound_to === boundTo.get(subject)),
    );
    if (own.length > 0) views.set(subject, viewOf(actor, own));
  }
  return views;
}

function viewOf(actor: Person, rows: readonly StoredWord[]): SecondPersonView {
  const { now, maker_id: makerId, needs, closed_at: closedAt, outcome } = rows[0]!;
  const words = rows.map((row) => ({
    personId: row.person_id,
    name: row.name,
    role: row.role,
    claim: row.claim,
    reason: row.reason,
    reference: row.reference,
    at: row.at.getTime(),
    maySpeak: row.may_speak,
  }));
  const judgedAt = (closedAt ?? now).getTime();
  // A closed request was decided by the roles of that time.
  const valid = closedAt === null ? words.filter((word) => word.maySpeak) : words;
  const counting: Word[] = latestWords(valid, judgedAt);
  return {
    closedAt: closedAt?.toISOString() ?? null,
    outcome,
    standing:
      closedAt === null
        ? standingName(standingOf(valid, { now: judgedAt, makerId, needs }))
        : 'agreed',
    own: counting.some((word) => word.personId === actor.personId && word.claim !== null),
    words: words.map((word) => ({
      by: word.name,
      claim: word.claim,
      reason: word.reason,
      reference: word.reference,
      at: new Date(word.at).toISOString(),
      counts: word.claim !== null && counting.includes(word),
    })),
  };
}

function standingName(standing: Standing): SecondPersonView['standing'] {
  return standing.kind === 'waiting' ? standing.missing : standing.kind;
}
