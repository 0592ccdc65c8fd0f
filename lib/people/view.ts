import 'server-only';
import { assertMay, may } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { listSessionsOf } from '#lib/login/open-sessions.ts';
import type { OpenSession } from '#lib/login/open-sessions.ts';
import { ownLimits } from '#lib/policy/own-limits.ts';
import { inTransaction } from '#lib/runtime/db.ts';
import type { Tx } from '#lib/runtime/db.ts';
import { openDeputyships } from './deputyship.ts';
import { isLastSecond } from './last-second.ts';
import { limitView } from './limit-view.ts';
import type { LimitView } from './limit-view.ts';
import { isAlone } from './lock.ts';
import { personRow, staffColumns } from './list.ts';
import type { PersonRow, StaffRow } from './list.ts';
import { waitingOfLimits, waitingOfPerson } from './waiting.ts';
import type { WaitingChange } from './waiting.ts';

export type PersonView = PersonRow & {
  since: string;
  /** What waits for a second person. */
  waiting: WaitingChange[];
  limits: LimitView[];
  /** Null for who may not see them. */
  sessions: OpenSession[] | null;
  /** Movements that this person prepared and that have not left. */
  notLeft: number;
  can: { manage: boolean; endSessions: boolean };
  /** What disabling this person would end, or why it is refused. */
  ends: Ends;
  /** A change that needs two people takes effect at once: there is no second person. */
  alone: boolean;
};

/**
 * `lastSecond`: nobody else could be the second of two. `approvals`: movements that have not left and
 * that this person, or their deputy, has approved. `deputyships`: open ones, by the names of the two.
 * Those of other accounts of the login count, too.
 */
export type Ends = {
  lastSecond: boolean;
  approvals: number;
  deputyships: { person: string; deputy: string }[];
};

/** Null for a person of another merchant and for one who never existed. */
export async function viewPerson(actor: Person, id: string): Promise<PersonView | null> {
  assertMay(actor, 'people.read');
  const found = await inTransaction(actor.merchantId, async (tx) => {
    const [row] = await tx.$queryRaw<(StaffRow & { created_at: Date; not_left: number })[]>`
      SELECT ${staffColumns()}, p.created_at, (SELECT count(*)::int FROM movements m
        WHERE m.maker_id = p.id AND m.state IN ('DRAFT', 'AWAITING_APPROVAL', 'APPROVED')) AS not_left
      FROM people p WHERE p.id = ${id}::uuid`;
    return (
      row && {
        row,
        waiting: [
          await waitingOfPerson(tx, actor, row),
          await waitingOfLimits(tx, actor, row),
        ].filter((one) => one !== null),
        limits: (await ownLimits(tx, id)).map(limitView),
        alone: await isAlone(tx, actor),
        ends: await endsOf(tx, actor, row),
      }
    );
  });
  if (!found) return null;
  const { row, waiting, limits, alone, ends } = found;
  const person = personRow(actor, row);
  const isManager = may(actor.role, 'people.manage');
  return {
    ...person,
    since: row.created_at.toISOString(),
    waiting,
    limits,
    sessions: isManager ? await listSessionsOf(actor, id) : null,
    notLeft: row.not_left,
    can: { manage: isManager && !person.self, endSessions: isManager && !person.self },
    ends,
    alone,
  };
}

async function endsOf(tx: Tx, actor: Person, person: StaffRow): Promise<Ends> {
  const [login] = await tx.$queryRaw<[{ ids: string[]; approved: number }]>`
    WITH accounts AS (SELECT same_login(${person.id}::uuid) AS id)
    SELECT (SELECT array_agg(id::text) FROM accounts) AS ids, (
      SELECT count(*)::int FROM movements m WHERE m.state IN ('AWAITING_APPROVAL', 'APPROVED')
        AND EXISTS (SELECT FROM approvals a JOIN accounts o ON o.id IN (a.person_id, a.deputy_of)
          WHERE a.movement_id = m.id)) AS approved`;
  const deputyships = (await openDeputyships(tx)).filter(
    (one) => login.ids.includes(one.person_id) || login.ids.includes(one.deputy_id),
  );
  return {
    lastSecond: person.id !== actor.personId && (await isLastSecond(tx, actor, person)),
    approvals: login.approved,
    deputyships: deputyships.map(({ person: of, deputy }) => ({ person: of, deputy })),
  };
}
