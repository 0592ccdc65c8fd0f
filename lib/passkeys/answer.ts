import 'server-only';
import { verifyAuthenticationResponse } from '@simplewebauthn/server';
import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import * as z from 'zod';
import type { Person } from '#lib/access/actor.ts';
import { countAttempt } from '#lib/access/rate-limit.ts';
import { Refusal } from '#lib/access/refusal.ts';
import { audit } from '#lib/audit/append.ts';
import { confirmByCode } from '#lib/login/challenge.ts';
import type { Caller, SignInProblem } from '#lib/login/challenge.ts';
import { errorFields, log } from '#lib/runtime/log.ts';
import { inTransaction } from '#lib/runtime/db.ts';
import type { Tx } from '#lib/runtime/db.ts';
import { challengeOf } from '#lib/step-up/challenge.ts';
import { openChallenge } from './challenges.ts';
import type { AskedChallenge } from './challenges.ts';
import { keysOf, lockKeys } from './keys.ts';
import type { KeyRow } from './keys.ts';
import { relyingParty } from './party.ts';

const base64url = z
  .string()
  .regex(/^[\w-]+$/)
  .max(4000);
/** What a browser's passkey returns; what the library does not check is left out. */
const responseSchema = z.object({
  id: base64url,
  rawId: base64url,
  type: z.literal('public-key'),
  response: z.object({
    clientDataJSON: base64url,
    authenticatorData: base64url,
    signature: base64url,
  }),
});
type Response = z.infer<typeof responseSchema>;

/**
 * Answers a challenge with a passkey and returns the id of the stored answer. It is stored in a
 * transaction of its own: what is refused afterwards asks for a new answer, and no answer counts
 * twice. The key's counter has to be higher than at its last use, otherwise it has a copy.
 *
 * @throws Refusal too_many, step_up_expired, step_up_refused
 */
export async function answerWithPasskey(
  actor: Person,
  challengeId: string,
  response: unknown,
): Promise<string> {
  await countAttempt(actor, 'step_up');
  const read = responseSchema.safeParse(response);
  if (!read.success) throw new Refusal('step_up_refused');
  const answered = await inTransaction(actor.merchantId, async (tx) => {
    const challenge = await openChallenge(tx, actor, challengeId);
    await lockKeys(tx, actor.personId);
    const key = (await keysOf(tx, actor.personId)).find(
      (one) => one.credential_id === read.data.id,
    );
    const counter = key && (await verifiedCounter(challenge, key, read.data));
    if (key === undefined || counter === undefined || counter === null) return null;
    const id = await storeAnswer(tx, actor, challenge, { key, response: read.data.response });
    await tx.$executeRaw`UPDATE passkeys SET counter = ${counter},
      last_used_at = clock_timestamp() WHERE id = ${key.id}::uuid`;
    return id;
  });
  if (answered === null) {
    await inTransaction(actor.merchantId, (tx) =>
      audit(tx, actor, 'person.step_up_refused', `person:${actor.personId}`, { method: 'passkey' }),
    );
    throw new Refusal('step_up_refused');
  }
  return answered;
}

/**
 * Answers a challenge with the code of a fresh sign-in, where the caller's rules allow that.
 *
 * @throws Refusal step_up_expired
 */
export async function answerWithCode(
  actor: Person,
  given: { challengeId: string; secret: string; code: string },
  caller: Caller,
): Promise<string | SignInProblem> {
  const { challengeId: stepUpId, secret, code } = given;
  const challenge = await inTransaction(actor.merchantId, (tx) =>
    openChallenge(tx, actor, stepUpId),
  );
  const answer = await confirmByCode({ secret, code, email: actor.email, stepUpId }, caller);
  if (answer !== 'confirmed') return answer;
  return inTransaction(actor.merchantId, (tx) => storeAnswer(tx, actor, challenge, null));
}

/** The counter of a signature that holds; null for one that does not. */
async function verifiedCounter(
  challenge: AskedChallenge,
  key: KeyRow,
  response: Response,
): Promise<number | null> {
  const party = relyingParty();
  if (party === null) return null;
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { ...response, clientExtensionResults: {} } as AuthenticationResponseJSON,
      expectedChallenge: Buffer.from(challengeOf(challenge), 'hex').toString('base64url'),
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      credential: {
        id: key.credential_id,
        publicKey: Uint8Array.from(Buffer.from(key.cose_key, 'base64url')),
        counter: Number(key.counter),
      },
    });
    return verified ? authenticationInfo.newCounter : null;
  } catch (error) {
    log.warn('a passkey was refused', errorFields(error));
    return null;
  }
}

async function storeAnswer(
  tx: Tx,
  { merchantId, personId }: Person,
  { id: challengeId }: AskedChallenge,
  signed: { key: KeyRow; response: Response['response'] } | null,
): Promise<string> {
  const [row] = await tx.$queryRaw<{ id: string }[]>`
    INSERT INTO step_ups (merchant_id, person_id, challenge_id, method, passkey_id, public_key,
      authenticator_data, client_data_json, signature)
    VALUES (${merchantId}::uuid, ${personId}::uuid, ${challengeId}::uuid,
      ${signed === null ? 'sign_in' : 'passkey'}, ${signed?.key.id ?? null}::uuid,
      ${signed?.key.public_key ?? null}, ${signed?.response.authenticatorData ?? null},
      ${signed?.response.clientDataJSON ?? null}, ${signed?.response.signature ?? null})
    ON CONFLICT (challenge_id) DO NOTHING RETURNING id`;
  if (!row) throw new Refusal('step_up_expired');
  return row.id;
}
