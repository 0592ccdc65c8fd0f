import 'server-only';
import { createHash } from 'node:crypto';
import { assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { Refusal } from '#lib/access/refusal.ts';
import { audit } from '#lib/audit/append.ts';
import { readReason } from '#lib/form-fields/stop-reason.ts';
import { publish } from '#lib/live/publish.ts';
import type { Row, Tx } from '#lib/runtime/db.ts';
import { inTransaction } from '#lib/runtime/db.ts';
import type { Question } from '#lib/second-person/requests.ts';
import { openRequest } from '#lib/second-person/requests.ts';
import { latestWords } from '#lib/second-person/standing.ts';
import { takeStatement } from '#lib/second-person/take-statement.ts';
import { UUID } from '#lib/values/uuid.ts';
import { keysOf, lockKeys } from './keys.ts';

const LOST = 'passkeys_lost';
const REASON = { min: 3, max: 300 };

/** Somebody with keys, and whether one of two people has said that they are lost. JSON-safe. */
export type KeyHolder = {
  id: string;
  name: string;
  keys: number;
  /** Who has said it first; null when nobody has. */
  by: string | null;
  /** The viewer has said it: another person confirms. */
  isOwn: boolean;
};

/**
 * One of two people, an owner among them, says that a person has lost the keys; the second one has
 * all of them removed. The person then adds a first key again, after a fresh sign-in, and is not one
 * of the two.
 *
 * @throws Refusal not_allowed, stop_reason_needed, not_found, own_account
 */
export async function reportKeysLost(
  actor: Person,
  { personId, reason }: { personId: string; reason: string },
): Promise<'removed' | 'waiting'> {
  assertMay(actor, 'people.confirm');
  const why = readReason(reason, REASON);
  if (!UUID.test(personId)) throw new Refusal('not_found');
  if (personId === actor.personId) throw new Refusal('own_account');
  return inTransaction(actor.merchantId, async (tx) => {
    await lockKeys(tx, personId);
    const keys = await keysOf(tx, personId);
    if (keys.length === 0) throw new Refusal('not_found');
    const { carriesOut } = await takeStatement(tx, actor, lostKeysQuestion(personId, keys), {
      claim: LOST,
      reason: why,
      reference: null,
      evidence: {},
    });
    const detail = { passkeys: keys.map((key) => key.id) };
    const action = carriesOut ? 'person.passkeys_lost' : 'person.passkeys_lost_reported';
    if (carriesOut)
      await tx.$executeRaw`UPDATE passkeys SET removed_at = clock_timestamp()
        WHERE person_id = ${personId}::uuid AND removed_at IS NULL`;
    await publish(tx, actor, { kind: 'person', id: personId });
    await audit(tx, actor, action, `person:${personId}`, detail, { reason: why });
    return carriesOut ? 'removed' : 'waiting';
  });
}

/** The other people who have keys, for who may say that they are lost. */
export async function listKeyHolders(actor: Person): Promise<KeyHolder[]> {
  assertMay(actor, 'people.confirm');
  return inTransaction(actor.merchantId, async (tx) => {
    const people = await tx.$queryRaw<Row<'people', 'id' | 'name'>[]>`
      SELECT p.id, p.name FROM people p WHERE p.id <> ${actor.personId}::uuid
        AND p.disabled_at IS NULL AND EXISTS (SELECT FROM passkeys k
        WHERE k.person_id = p.id AND k.removed_at IS NULL) ORDER BY p.name`;
    const holders: KeyHolder[] = [];
    for (const { id, name } of people) holders.push(await holderOf(tx, actor, { id, name }));
    return holders;
  });
}

async function holderOf(
  tx: Tx,
  actor: Person,
  { id, name }: { id: string; name: string },
): Promise<KeyHolder> {
  const keys = await keysOf(tx, id);
  const { subject, boundTo } = lostKeysQuestion(id, keys);
  const open = await openRequest(tx, subject);
  const [word] =
    open?.boundTo === boundTo
      ? latestWords(open.words, open.now).filter((one) => one.claim === LOST)
      : [];
  return {
    id,
    name,
    keys: keys.length,
    by: word?.name ?? null,
    isOwn: word?.personId === actor.personId,
  };
}

/**
 * Its subject has a name of its own, so that it is no change of the person's role (`lib/people`). It
 * is bound to the keys of this moment: a key that is added meanwhile asks anew.
 */
export function lostKeysQuestion(personId: string, keys: readonly { id: string }[]): Question {
  const ids = keys.map((key) => key.id).toSorted();
  return {
    subject: { kind: 'person', id: `keys:${personId}` },
    boundTo: createHash('sha256').update(ids.join(' ')).digest('hex'),
    makerId: personId,
    needs: 'owner',
  };
}
