import 'server-only';
import { assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { Refusal } from '#lib/access/refusal.ts';
import { isOwnLogin } from '#lib/access/same-login.ts';
import { audit } from '#lib/audit/append.ts';
import { stopReason } from '#lib/form-fields/stop-reason.ts';
import { publish } from '#lib/live/publish.ts';
import { inTransaction } from '#lib/runtime/db.ts';
import { requestSecondPerson } from '#lib/second-person/request.ts';
import { carryOut } from './carry-out.ts';
import { assertSecondStays } from './last-second.ts';
import { isAlone, lockPeople, lockPerson } from './lock.ts';
import type { LockedPerson } from './lock.ts';
import { askedOf, personQuestion } from './questions.ts';
import { claimOf, needsTwo } from './rules.ts';
import type { PersonChange } from './rules.ts';

/**
 * Changes a person's role, disables or enables the person. What gives more rights is only asked for
 * here (`asked`); a second person confirms it (`lib/people/confirm.ts`).
 *
 * @throws Refusal not_allowed, not_found, own_account, person_changed, change_waiting,
 * stop_reason_needed, last_second_person
 */
export async function changePerson(
  actor: Person,
  id: string,
  change: PersonChange,
  reason: string,
): Promise<'done' | 'asked'> {
  assertMay(actor, 'people.manage');
  const why = stopReason(reason);
  if (id === actor.personId) throw new Refusal('own_account');
  return inTransaction(actor.merchantId, async (tx) => {
    await lockPeople(tx, actor, 'people.manage');
    const person = await lockPerson(tx, id);
    // Disabling another account of the own login would end the actor's access, too.
    if (change.kind === 'disable' && (await isOwnLogin(tx, actor, id)))
      throw new Refusal('own_account');
    if (isSo(person, change)) throw new Refusal('person_changed');
    const isTwo = needsTwo(person.role, change);
    if (!isTwo || (await isAlone(tx, actor))) {
      if (!isTwo) await assertSecondStays(tx, actor, person, change);
      const decided = { reason: why, askedBy: null, alone: isTwo };
      await carryOut(tx, actor, person, change, decided);
      return 'done';
    }
    const question = personQuestion(person);
    if ((await askedOf(tx, question)) !== null) throw new Refusal('change_waiting');
    await requestSecondPerson(tx, actor, question, {
      claim: claimOf(change),
      reason: why,
      reference: null,
      evidence: { role: person.role, disabled: person.disabled_at !== null },
    });
    await audit(
      tx,
      actor,
      'person.change_asked',
      `person:${id}`,
      { change: claimOf(change), from: person.role },
      { reason: why, person: person.name },
    );
    await publish(tx, actor, { kind: 'person', id });
    return 'asked';
  });
}

function isSo(person: LockedPerson, change: PersonChange): boolean {
  if (change.kind === 'role') return person.role === change.role;
  return (person.disabled_at !== null) === (change.kind === 'disable');
}
