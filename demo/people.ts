/** People of the demo's history who have signed in. */
import { randomBytes, randomUUID } from 'node:crypto';
import type { Role } from '#lib/access/actor.ts';
import { audit } from '#lib/audit/append.ts';
import { loginClient } from '#lib/providers/login/configured-client.ts';
import { inTransaction } from '#lib/runtime/db.ts';
import type { Desk } from './desk.ts';

const PASSWORD = 'demo-Parola-1';

/**
 * What a sign-in leaves: the provider's id of the person, and a session. Nobody has its token. The
 * verb of the product opens it in the answer to a browser, and there is none.
 */
export async function signIn(desk: Desk, role: Role): Promise<void> {
  const person = desk.person(role);
  const { merchantId, personId, email, ip } = person;
  const answer = await loginClient().startLogin({ email, password: PASSWORD, locale: 'tr' });
  if (answer.kind !== 'code_sent') throw new Error(`${role} cannot sign in: ${answer.kind}`);
  const sessionId = randomUUID();
  await inTransaction(merchantId, async (tx) => {
    await tx.$executeRaw`UPDATE people SET provider_user_id = ${answer.userId}
      WHERE id = ${personId}::uuid`;
    await tx.$executeRaw`INSERT INTO sessions (id, merchant_id, person_id, token_hash,
        provider_sealed, ip, expires_at)
      VALUES (${sessionId}::uuid, ${merchantId}::uuid, ${personId}::uuid, ${randomBytes(32)},
        ''::bytea, ${ip}, clock_timestamp())`;
    await audit(tx, { ...person, sessionId }, 'session.opened', `session:${sessionId}`);
  });
}
