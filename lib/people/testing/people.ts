import { randomUUID } from 'node:crypto';
import type { Person, Role } from '#lib/access/actor.ts';
import type { TestMerchant } from '#lib/testing/database.ts';

/** Adds a person to a merchant, beside the one of each role that it has. */
export async function addedPerson(
  { owner, merchantId }: TestMerchant,
  role: Role,
  name = `${role}-${randomUUID().slice(0, 8)}`,
): Promise<Person> {
  const email = `${name}@test`;
  const { rows } = await owner.query<{ id: string }>(
    'INSERT INTO people (merchant_id, email, name, role) VALUES ($1, $2, $3, $4) RETURNING id',
    [merchantId, email, name, role],
  );
  const [{ id: personId }] = rows as [{ id: string }];
  const sessionId = randomUUID();
  const self = { kind: 'person', merchantId, personId, sessionId, name, email, role } as const;
  return { ...self, standsInFor: null, ip: null };
}

/** An open session of a person; returns its id. */
export async function openedSession(
  { owner, merchantId }: TestMerchant,
  personId: string,
): Promise<string> {
  const { rows } = await owner.query<{ id: string }>(
    `INSERT INTO sessions (id, merchant_id, person_id, token_hash, provider_sealed, expires_at)
      VALUES (gen_random_uuid(), $1, $2, sha256(gen_random_uuid()::text::bytea), '',
      now() + interval '1 hour') RETURNING id`,
    [merchantId, personId],
  );
  return rows[0]!.id;
}

/** The code of the refusal that a verb throws; its result when it throws none. */
export function outcomeOf(verb: Promise<unknown>): Promise<unknown> {
  return verb.catch((error: { code?: string }) => error.code ?? error);
}
