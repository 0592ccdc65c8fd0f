import 'server-only';
import { assertMay, may } from '#lib/access/actor.ts';
import type { Person, Role } from '#lib/access/actor.ts';
import { databaseNow, inTransaction } from '#lib/runtime/db.ts';
import type { Row } from '#lib/runtime/db.ts';
import { dayIn } from '#lib/values/dates.ts';
import { compareTurkish } from '#lib/values/turkish.ts';
import { canBeRepresented, canStandIn } from './deputy-rules.ts';
import { openDeputyships } from './deputyship.ts';
import type { Deputyship } from './deputyship.ts';
import { neededToEnd } from './end-deputy.ts';
import { isAlone } from './lock.ts';

/** Who stands in for whom, or is going to. The days 'YYYY-MM-DD' in Istanbul, both included. */
export type DeputyRow = {
  id: string;
  person: string;
  deputy: string;
  firstDay: string;
  lastDay: string;
  isNow: boolean;
  /** The viewer's own part in it. */
  own: 'person' | 'deputy' | null;
  can: { end: boolean };
};

type Named = { id: string; name: string };

/**
 * `people`: those for whom the viewer may name a deputy; empty where nobody is left to name.
 * `alone`: a deputy needs no second person, because there has never been one.
 */
export type Deputies = {
  rows: DeputyRow[];
  choices: { people: Named[]; deputies: Named[] };
  today: string;
  alone: boolean;
};

/** All deputyships that two people have agreed on and that are not over. */
export async function listDeputies(actor: Person): Promise<Deputies> {
  assertMay(actor, 'people.read');
  return inTransaction(actor.merchantId, async (tx) => {
    const now = await databaseNow(tx);
    const staff = await tx.$queryRaw<Row<'people', 'id' | 'name' | 'role', { role: Role }>[]>`
      SELECT id, name, role FROM people WHERE disabled_at IS NULL`;
    const named = (isFit: (one: { id: string; role: Role }) => boolean): Named[] =>
      staff
        .filter(isFit)
        .map(({ id, name }) => ({ id, name }))
        .sort((a, b) => compareTurkish(a.name, b.name));
    const mayName = ({ id }: { id: string }): boolean =>
      may(actor.role, id === actor.personId ? 'people.confirm' : 'people.manage');
    return {
      rows: rowsOf(actor, await openDeputyships(tx), now),
      choices: {
        people: named((one) => canBeRepresented(one.role) && mayName(one)),
        deputies: named((one) => canStandIn(one.role)),
      },
      today: dayIn(now.toISOString()),
      alone: await isAlone(tx, actor),
    };
  });
}

/** Those in which the viewer stands in for somebody or is represented. */
export async function listOwnDeputyships(actor: Person): Promise<DeputyRow[]> {
  return inTransaction(actor.merchantId, async (tx) => {
    const rows = rowsOf(actor, await openDeputyships(tx), await databaseNow(tx));
    return rows.filter(({ own }) => own !== null);
  });
}

function rowsOf(actor: Person, open: readonly Deputyship[], now: Date): DeputyRow[] {
  return open
    .filter((row) => row.confirmed_at !== null)
    .map((row) => ({
      id: row.id,
      person: row.person,
      deputy: row.deputy,
      firstDay: row.first_day,
      lastDay: row.last_day,
      isNow: row.starts_at <= now,
      own: ownPart(actor, row),
      can: { end: may(actor.role, neededToEnd(actor, row)) },
    }));
}

function ownPart({ personId }: Person, row: Deputyship): DeputyRow['own'] {
  if (row.person_id === personId) return 'person';
  return row.deputy_id === personId ? 'deputy' : null;
}
