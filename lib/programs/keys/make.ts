import 'server-only';
import { assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { Refusal } from '#lib/access/refusal.ts';
import { audit } from '#lib/audit/append.ts';
import { oneLine, UNSEEN, WALLET_NUMBER } from '#lib/form-fields/money-form.ts';
import { stopReason } from '#lib/form-fields/stop-reason.ts';
import { publish } from '#lib/live/publish.ts';
import { isAlone, lockPeople } from '#lib/people/lock.ts';
import { inTransaction } from '#lib/runtime/db.ts';
import type { Row, Tx } from '#lib/runtime/db.ts';
import { requestSecondPerson } from '#lib/second-person/request.ts';
import { keyQuestion } from './question.ts';
import { KEY_NAME_MAX, KEY_RIGHTS, KEYS_MAX, USE } from './rights.ts';
import type { KeyRight } from './rights.ts';
import { newSecret } from './secret.ts';

export type KeyWish = {
  name: string;
  rights: readonly KeyRight[];
  /** The only wallet that the key may use; empty: every wallet. */
  wallet: string;
  reason: string;
};

/**
 * Makes an API key. The secret is in this answer and nowhere else. The key works once a second
 * person has confirmed it (`confirm.ts`); `waits` is false where nobody could be the second person
 * yet.
 *
 * @throws Refusal not_allowed, key_name, key_rights_none, key_wallet_number, key_too_many,
 * stop_reason_needed
 */
export async function makeKey(
  actor: Person,
  { name: typed, rights: wished, wallet, reason }: KeyWish,
): Promise<{ id: string; secret: string; waits: boolean }> {
  assertMay(actor, 'api.manage');
  const name = keyName(typed);
  const rights = KEY_RIGHTS.filter((right) => wished.includes(right));
  if (rights.length === 0) throw new Refusal('key_rights_none');
  if (wallet !== '' && !WALLET_NUMBER.test(wallet)) throw new Refusal('key_wallet_number');
  const why = stopReason(reason);
  const { secret, prefix, hash } = newSecret();
  return inTransaction(actor.merchantId, async (tx) => {
    await lockPeople(tx, actor, 'api.manage');
    await assertRoom(tx);
    const alone = await isAlone(tx, actor);
    const only = wallet === '' ? null : wallet;
    const [row] = await tx.$queryRaw<[Row<'api_keys', 'id'>]>`
      INSERT INTO api_keys (merchant_id, person_id, name, prefix, hash, rights, wallet, reason,
        confirmed_at)
      VALUES (${actor.merchantId}::uuid, ${actor.personId}::uuid, ${name}, ${prefix}, ${hash},
        ${JSON.stringify(rights)}::jsonb, ${only}, ${why},
        CASE WHEN ${alone}::boolean THEN clock_timestamp() END) RETURNING id`;
    if (!alone)
      await requestSecondPerson(tx, actor, keyQuestion(row.id), {
        claim: USE,
        reason: why,
        reference: null,
        evidence: { rights: rights.join(' '), wallet: only },
      });
    await audit(
      tx,
      actor,
      'api.key_made',
      `api_key:${row.id}`,
      { rights, wallet: only, prefix, waits: !alone, ...(alone && { alone }) },
      { reason: why, keyName: name },
    );
    await publish(tx, actor, { kind: 'program', id: row.id });
    // The list of what waits shows it; it follows no `program`, which each API request announces.
    await publish(tx, actor, { kind: 'person', id: row.id });
    return { id: row.id, secret, waits: !alone };
  });
}

function keyName(typed: string): string {
  const name = oneLine(typed);
  if (name === '' || UNSEEN.test(name) || Array.from(name).length > KEY_NAME_MAX)
    throw new Refusal('key_name', { max: KEY_NAME_MAX });
  return name;
}

async function assertRoom(tx: Tx): Promise<void> {
  const [row] = await tx.$queryRaw<[{ count: number }]>`
    SELECT count(*)::int AS count FROM api_keys WHERE revoked_at IS NULL`;
  if (row.count >= KEYS_MAX) throw new Refusal('key_too_many', { max: KEYS_MAX });
}
