import 'server-only';
import { assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { Refusal } from '#lib/access/refusal.ts';
import { audit } from '#lib/audit/append.ts';
import { publish } from '#lib/live/publish.ts';
import { lockPeople } from '#lib/people/lock.ts';
import { askedOf } from '#lib/people/questions.ts';
import { inTransaction } from '#lib/runtime/db.ts';
import { confirmSecondPerson } from '#lib/second-person/confirm.ts';
import { lockKey } from './lock.ts';
import { keyQuestion } from './question.ts';
import { USE } from './rights.ts';

/**
 * The second person agrees that a key works from now on. They never see its secret.
 *
 * @throws Refusal not_allowed, not_found, key_over, release_not_asked, second_person_needed,
 * change_owner_needed
 */
export async function confirmKey(actor: Person, id: string): Promise<void> {
  assertMay(actor, 'people.confirm');
  await inTransaction(actor.merchantId, async (tx) => {
    await lockPeople(tx, actor, 'people.confirm');
    const key = await lockKey(tx, id);
    if (key.revoked_at !== null || key.confirmed_at !== null) throw new Refusal('key_over');
    const question = keyQuestion(id);
    const asked = await askedOf(tx, question);
    if (asked === null) throw new Refusal('release_not_asked');
    if (asked.personId === actor.personId) throw new Refusal('second_person_needed');
    const statement = { claim: USE, reason: 'confirmed', reference: null, evidence: {} };
    const standing = await confirmSecondPerson(tx, actor, question, statement);
    if (standing.kind !== 'agreed') throw new Refusal('change_owner_needed');
    await tx.$executeRaw`
      UPDATE api_keys SET confirmed_at = clock_timestamp() WHERE id = ${id}::uuid`;
    await audit(
      tx,
      actor,
      'api.key_confirmed',
      `api_key:${id}`,
      { rights: key.rights, wallet: key.wallet, prefix: key.prefix, askedBy: [asked.personId] },
      { reason: asked.reason, keyName: key.name },
    );
    await publish(tx, actor, { kind: 'program', id });
    // The list of what waits shows it; it follows no `program`, which each API request announces.
    await publish(tx, actor, { kind: 'person', id });
  });
}
