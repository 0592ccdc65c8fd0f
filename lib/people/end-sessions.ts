import 'server-only';
import { assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { Refusal } from '#lib/access/refusal.ts';
import { audit } from '#lib/audit/append.ts';
import { publish } from '#lib/live/publish.ts';
import { endSessionsOf } from '#lib/login/open-sessions.ts';
import { inTransaction } from '#lib/runtime/db.ts';
import { lockPeople, lockPerson } from './lock.ts';

/**
 * An owner ends one session of another person, or all of them (`'all'`). The person may sign in
 * again. `'all'` is not refused where no session is open: the notifications of a lost phone end too.
 *
 * @throws Refusal not_allowed, not_found, own_account
 */
export async function endSessionsOfPerson(
  actor: Person,
  personId: string,
  which: string,
): Promise<number> {
  assertMay(actor, 'people.manage');
  if (personId === actor.personId) throw new Refusal('own_account');
  return inTransaction(actor.merchantId, async (tx) => {
    await lockPeople(tx, actor, 'people.manage');
    const person = await lockPerson(tx, personId);
    const ended = await endSessionsOf(tx, actor, personId, which);
    if (ended === 0 && which !== 'all') throw new Refusal('not_found');
    await audit(
      tx,
      actor,
      'person.sessions_ended',
      `person:${personId}`,
      { sessions: ended },
      { person: person.name },
    );
    await publish(tx, actor, { kind: 'person', id: personId });
    return ended;
  });
}
