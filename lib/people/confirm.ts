import 'server-only';
import { assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { Refusal } from '#lib/access/refusal.ts';
import { audit } from '#lib/audit/append.ts';
import { publish } from '#lib/live/publish.ts';
import { readLimitClaim } from '#lib/policy/limits.ts';
import { ownLimits } from '#lib/policy/own-limits.ts';
import { inTransaction } from '#lib/runtime/db.ts';
import type { Tx } from '#lib/runtime/db.ts';
import { confirmSecondPerson } from '#lib/second-person/confirm.ts';
import { requestSecondPerson } from '#lib/second-person/request.ts';
import { closeRequest } from '#lib/second-person/requests.ts';
import type { Question } from '#lib/second-person/requests.ts';
import type { Word } from '#lib/second-person/standing.ts';
import { carryOut } from './carry-out.ts';
import {
  assertFree,
  assertPair,
  deputyDetail,
  openDeputyship,
  openDeputyships,
} from './deputyship.ts';
import { lockInvitation, lockPeople, lockPerson } from './lock.ts';
import type { LockedPerson } from './lock.ts';
import {
  askedOf,
  deputyQuestion,
  invitationQuestion,
  limitsQuestion,
  personQuestion,
} from './questions.ts';
import { readClaim } from './rules.ts';
import { storeLimit } from './set-limit.ts';

/** `limits`: of the person with this id. `deputy`: the deputyship with this id. */
export type PeopleSubject = { kind: 'person' | 'limits' | 'invitation' | 'deputy'; id: string };

/**
 * The second person agrees, and the change is carried out. `claim`: what the page showed; if
 * something else is asked for by now, nothing happens.
 *
 * @throws Refusal not_allowed, not_found, own_account, release_not_asked, second_person_needed,
 * change_owner_needed, person_changed, deputy_people, deputy_overlaps, deputy_ended
 */
export async function confirmPeopleChange(
  actor: Person,
  subject: PeopleSubject,
  claim: string,
): Promise<void> {
  assertMay(actor, 'people.confirm');
  await inTransaction(actor.merchantId, async (tx) => {
    await lockPeople(tx, actor, 'people.confirm');
    if (subject.kind === 'deputy') return confirmDeputy(tx, actor, subject.id, claim);
    if (subject.kind === 'invitation') return confirmInvitation(tx, actor, subject.id, claim);
    if (subject.id === actor.personId) throw new Refusal('own_account');
    const person = await lockPerson(tx, subject.id);
    if (subject.kind === 'limits') return confirmLimit(tx, actor, person, claim);
    const asked = await agree(tx, actor, personQuestion(person), claim);
    const change = readClaim(claim);
    if (change === null) throw new Refusal('release_not_asked');
    const decided = { reason: asked.reason, askedBy: asked.personId, alone: false };
    await carryOut(tx, actor, person, change, decided);
  });
}

async function confirmLimit(
  tx: Tx,
  actor: Person,
  person: LockedPerson,
  claim: string,
): Promise<void> {
  const limit = readLimitClaim(claim);
  if (limit === null) throw new Refusal('release_not_asked');
  const question = limitsQuestion(person.id, await ownLimits(tx, person.id));
  const asked = await agree(tx, actor, question, claim);
  const decided = { reason: asked.reason, askedBy: asked.personId, alone: false };
  await storeLimit(tx, actor, person, limit, decided);
}

async function confirmInvitation(tx: Tx, actor: Person, id: string, claim: string): Promise<void> {
  const invitation = await lockInvitation(tx, id);
  if (invitation.used_at !== null || invitation.withdrawn_at !== null)
    throw new Refusal('person_changed');
  const asked = await agree(tx, actor, invitationQuestion(invitation), claim);
  await tx.$executeRaw`
    UPDATE person_invitations SET confirmed_at = clock_timestamp() WHERE id = ${id}::uuid`;
  await audit(
    tx,
    actor,
    'person.invitation_confirmed',
    `invitation:${id}`,
    { to: invitation.role, askedBy: [asked.personId] },
    { reason: asked.reason, email: invitation.email },
  );
  await publish(tx, actor, { kind: 'person', id });
}

async function confirmDeputy(tx: Tx, actor: Person, id: string, claim: string): Promise<void> {
  const row = await openDeputyship(tx, id);
  if (row.confirmed_at !== null) throw new Refusal('release_not_asked');
  assertPair(await lockPerson(tx, row.person_id), await lockPerson(tx, row.deputy_id));
  assertFree(await openDeputyships(tx), row);
  const asked = await agree(tx, actor, deputyQuestion(row), claim);
  await tx.$executeRaw`
    UPDATE deputyships SET confirmed_at = clock_timestamp() WHERE id = ${id}::uuid`;
  await audit(
    tx,
    actor,
    'person.deputy_confirmed',
    `person:${row.deputy_id}`,
    { ...deputyDetail(row), askedBy: [asked.personId] },
    { reason: asked.reason, person: row.deputy, of: row.person },
  );
  await publish(tx, actor, { kind: 'person', id: row.deputy_id });
}

/** Returns the first person's statement. */
async function agree(tx: Tx, actor: Person, question: Question, claim: string): Promise<Word> {
  const asked = await askedOf(tx, question);
  if (asked === null || asked.claim !== claim) throw new Refusal('release_not_asked');
  if (asked.personId === actor.personId) throw new Refusal('second_person_needed');
  const statement = { claim, reason: 'confirmed', reference: null, evidence: {} };
  const standing = await confirmSecondPerson(tx, actor, question, statement);
  if (standing.kind !== 'agreed') throw new Refusal('change_owner_needed');
  return asked;
}

/**
 * Ends what waits for a second person: who asked for it withdraws it, anybody else who could confirm
 * it declines it.
 *
 * @throws Refusal not_allowed, not_found, own_account, release_not_asked
 */
export async function endPeopleRequest(
  actor: Person,
  personId: string,
  about: 'person' | 'limits' = 'person',
): Promise<void> {
  assertMay(actor, 'people.confirm');
  if (personId === actor.personId) throw new Refusal('own_account');
  await inTransaction(actor.merchantId, async (tx) => {
    await lockPeople(tx, actor, 'people.confirm');
    const person = await lockPerson(tx, personId);
    const question =
      about === 'limits'
        ? limitsQuestion(personId, await ownLimits(tx, personId))
        : personQuestion(person);
    const asked = await askedOf(tx, question);
    if (asked === null) throw new Refusal('release_not_asked');
    const isOwn = asked.personId === actor.personId;
    if (isOwn) {
      const taken = { claim: null, reason: 'withdrawn', reference: null, evidence: {} };
      await requestSecondPerson(tx, actor, question, taken);
    }
    await closeRequest(tx, asked.request, null);
    await audit(
      tx,
      actor,
      isOwn ? 'person.change_withdrawn' : 'person.change_declined',
      `person:${personId}`,
      { change: asked.claim },
      { person: person.name },
    );
    await publish(tx, actor, { kind: 'person', id: personId });
  });
}
