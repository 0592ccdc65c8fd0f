import 'server-only';
import type { Person } from '#lib/access/actor.ts';
import { Refusal } from '#lib/access/refusal.ts';
import { audit } from '#lib/audit/append.ts';
import { publish } from '#lib/live/publish.ts';
import { inTransaction } from '#lib/runtime/db.ts';
import type { Row, Tx } from '#lib/runtime/db.ts';
import { closeRequest, openRequest } from '#lib/second-person/requests.ts';
import { deputyDetail, openDeputyship, openDeputyships } from './deputyship.ts';
import type { Deputyship } from './deputyship.ts';
import { lockPeople } from './lock.ts';
import { deputyQuestion } from './questions.ts';

/**
 * Ends a deputyship at once: by either of the two, or by an owner. One that waits for a second
 * person is also withdrawn or declined by this, by everybody who could confirm it.
 *
 * @throws Refusal not_allowed, not_found, deputy_ended
 */
export async function endDeputyship(actor: Person, id: string): Promise<void> {
  await inTransaction(actor.merchantId, async (tx) => {
    const [found] = await tx.$queryRaw<
      Row<'deputyships', 'person_id' | 'deputy_id' | 'confirmed_at'>[]
    >`SELECT person_id, deputy_id, confirmed_at FROM deputyships WHERE id = ${id}::uuid`;
    if (!found) throw new Refusal('not_found');
    await lockPeople(tx, actor, neededToEnd(actor, found));
    await endAll(tx, actor, [await openDeputyship(tx, id)]);
  });
}

/** The permission that ends a deputyship; the two themselves need none but to be here. */
export function neededToEnd(
  { personId }: Person,
  row: Pick<Deputyship, 'person_id' | 'deputy_id' | 'confirmed_at'>,
): 'movement.read' | 'people.confirm' | 'people.manage' {
  if (row.person_id === personId || row.deputy_id === personId) return 'movement.read';
  return row.confirmed_at === null ? 'people.confirm' : 'people.manage';
}

/**
 * Ends all deputyships of these accounts, on either side, and returns how many. For whoever is disabled,
 * or has a role with which one neither stands in nor is represented any more. The caller has not
 * written into the audit log yet in this transaction.
 */
export async function endDeputyshipsOf(
  tx: Tx,
  actor: Person,
  personIds: readonly string[],
  side: { represented: boolean; deputy: boolean } = { represented: true, deputy: true },
): Promise<number> {
  const rows = (await openDeputyships(tx)).filter(
    (row) =>
      (side.represented && personIds.includes(row.person_id)) ||
      (side.deputy && personIds.includes(row.deputy_id)),
  );
  await endAll(tx, actor, rows);
  return rows.length;
}

/**
 * All rows before the first audit entry: an approval holds the row of its deputyship and then waits
 * for the chain of the trail.
 */
async function endAll(tx: Tx, actor: Person, rows: readonly Deputyship[]): Promise<void> {
  await tx.$executeRaw`UPDATE deputyships SET ended_at = clock_timestamp()
    WHERE id = ANY(${rows.map(({ id }) => id)}::uuid[])`;
  for (const row of rows) await noteEnd(tx, actor, row);
}

async function noteEnd(tx: Tx, actor: Person, row: Deputyship): Promise<void> {
  const open = await openRequest(tx, deputyQuestion(row).subject);
  if (open !== null) await closeRequest(tx, open.id, null);
  await audit(
    tx,
    actor,
    'person.deputy_ended',
    `person:${row.deputy_id}`,
    { ...deputyDetail(row), waited: row.confirmed_at === null },
    { person: row.deputy, of: row.person },
  );
  await publish(tx, actor, { kind: 'person', id: row.deputy_id });
}
