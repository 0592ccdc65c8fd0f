import 'server-only';
import { may } from '#lib/access/actor.ts';
import type { Person, Role } from '#lib/access/actor.ts';
import { IS_DISABLED_P } from '#lib/access/disabled-login.ts';
import { merchantId } from '#lib/access/merchant.ts';
import { Refusal } from '#lib/access/refusal.ts';
import { inOne, sql } from '#lib/runtime/db.ts';
import type { Row, Tx } from '#lib/runtime/db.ts';
import { NEEDS } from './rights.ts';
import type { KeyRight } from './rights.ts';
import { hashOf } from './secret.ts';

/** A program that calls: the person for whom it acts, and what its key permits. */
export type Caller = {
  person: Person;
  key: { id: string; rights: readonly KeyRight[]; wallet: string | null };
  /** Why the key does nothing; null when it works. */
  refusal: 'key_revoked' | 'key_waiting' | 'key_idle' | null;
};

const BEARER = /^Bearer ([\x21-\x7e]{1,200})$/i;
/** A key in daily use writes its last use once a minute. */
const TOUCH_SECONDS = 60;

type Found = Row<
  'api_keys',
  'id' | 'person_id' | 'rights' | 'wallet' | 'confirmed_at' | 'revoked_at',
  { rights: KeyRight[] }
> &
  Row<'people', 'name' | 'email' | 'role', { role: Role }> & { disabled: boolean };

/**
 * The caller of a request by its `Authorization` header; null when no such key exists. Every header
 * costs the same: one hash and one look at an index, which is by the hash, so that a time says
 * nothing about a key.
 */
export async function callerOf(header: string | null, ip: string | null): Promise<Caller | null> {
  const merchant = merchantId();
  const hash = hashOf(BEARER.exec(header ?? '')?.[1] ?? '');
  const [row] = await inOne<Found>(
    merchant,
    sql`SELECT k.id, k.person_id, k.rights, k.wallet, k.confirmed_at, k.revoked_at, p.name, p.email,
        p.role, ${IS_DISABLED_P} AS disabled
      FROM api_keys k JOIN people p ON p.id = k.person_id WHERE k.hash = ${hash}`,
  );
  if (row === undefined) return null;
  await inOne(
    merchant,
    sql`UPDATE api_keys SET last_used_at = clock_timestamp(), last_used_ip = ${ip}
      WHERE id = ${row.id}::uuid AND revoked_at IS NULL AND (last_used_at IS NULL
        OR last_used_at < clock_timestamp() - make_interval(secs => ${TOUCH_SECONDS}))`,
  );
  return {
    person: {
      kind: 'person',
      merchantId: merchant,
      personId: row.person_id,
      sessionId: row.id,
      name: row.name,
      email: row.email,
      role: row.role,
      standsInFor: null,
      ip,
      apiKey: row.id,
    },
    key: { id: row.id, rights: row.rights, wallet: row.wallet },
    refusal: refusalOf(row),
  };
}

function refusalOf(row: Found): Caller['refusal'] {
  if (row.revoked_at !== null) return 'key_revoked';
  if (row.confirmed_at === null) return 'key_waiting';
  return row.disabled ? 'key_idle' : null;
}

/**
 * Asked for every call with a key that works: it has the right, and its person may still do the same
 * by hand.
 *
 * @throws Refusal key_idle, key_right
 */
export function assertCallerMay({ person, key }: Caller, right: KeyRight): void {
  if (!key.rights.includes(right)) throw new Refusal('key_right', { right });
  if (!may(person.role, NEEDS[right])) throw new Refusal('key_idle');
}

/** @throws Refusal key_wallet */
export function assertCallerMayUse({ key }: Caller, wallet: string): void {
  if (key.wallet !== null && key.wallet !== wallet)
    throw new Refusal('key_wallet', { wallet: key.wallet });
}

/**
 * Asks once more in the transaction that stores a payout: the key's row is locked, so that a key
 * which is being revoked is revoked first, or after this.
 *
 * @throws Refusal key_revoked
 */
export async function assertKeyWorks(tx: Tx, { key }: Caller): Promise<void> {
  const [row] = await tx.$queryRaw<Row<'api_keys', 'id'>[]>`
    SELECT id FROM api_keys WHERE id = ${key.id}::uuid AND revoked_at IS NULL FOR SHARE`;
  if (row === undefined) throw new Refusal('key_revoked');
}
