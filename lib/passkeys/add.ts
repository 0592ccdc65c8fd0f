import 'server-only';
import { createPublicKey } from 'node:crypto';
import { generateRegistrationOptions, verifyRegistrationResponse } from '@simplewebauthn/server';
import type {
  PublicKeyCredentialCreationOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import { cose, decodeCredentialPublicKey } from '@simplewebauthn/server/helpers';
import * as z from 'zod';
import type { Person } from '#lib/access/actor.ts';
import { countAttempt } from '#lib/access/rate-limit.ts';
import { Refusal } from '#lib/access/refusal.ts';
import { audit } from '#lib/audit/append.ts';
import { errorFields, log } from '#lib/runtime/log.ts';
import { inTransaction } from '#lib/runtime/db.ts';
import type { Tx } from '#lib/runtime/db.ts';
import { storable } from '#lib/runtime/stored-text.ts';
import { keyChallengeOf } from '#lib/step-up/challenge.ts';
import { UUID } from '#lib/values/uuid.ts';
import { askForAnswer } from './ask.ts';
import type { AskedStepUp } from './ask.ts';
import { keysOf, lockKeys } from './keys.ts';
import { relyingParty } from './party.ts';
import type { RelyingParty } from './party.ts';

const KEYS_MAX = 10;
const LABEL_MAX = 60;
/** Between the answer and the new key; the table's guard has the same. */
const ADD_MINUTES = 10;
/** ECDSA on P-256 and RSA, which Node verifies without a library. */
const ALGORITHMS = [-7, -257];

const text = z
  .string()
  .regex(/^[\w-]+$/)
  .max(20_000);
const responseSchema = z.object({
  id: text,
  rawId: text,
  type: z.literal('public-key'),
  response: z.object({
    clientDataJSON: text,
    attestationObject: text,
    transports: z.array(z.string().max(20)).max(8).optional(),
  }),
});

/**
 * Asks a person to show who they are before a key is added: with a key of theirs, or for the first
 * one with a fresh sign-in. Who holds a session alone adds no key. Keys of another address of this
 * installation cannot sign here, and no sign-in takes their place.
 *
 * @throws Refusal passkey_no_name, passkeys_full, passkey_elsewhere
 */
export async function askToAddKey(actor: Person): Promise<AskedStepUp> {
  const party = partyOrRefusal();
  return inTransaction(actor.merchantId, async (tx) => {
    const keys = await keysOf(tx, actor.personId);
    if (keys.length >= KEYS_MAX) throw new Refusal('passkeys_full', { max: KEYS_MAX });
    const [first] = keys;
    if (first !== undefined && keys.every((key) => key.rp_id !== party.id))
      throw new Refusal('passkey_elsewhere', { address: first.rp_id });
    const content = { purpose: 'add_key' as const, policyVersion: 0, items: [] };
    return askForAnswer(tx, actor, content, keys.length === 0);
  });
}

/**
 * What a browser needs to make the key, once the person has answered. `stepUpId`: the answer.
 *
 * @throws Refusal passkey_no_name, step_up_expired
 */
export async function newKeyOptions(
  actor: Person,
  stepUpId: string,
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const party = partyOrRefusal();
  return inTransaction(actor.merchantId, async (tx) => {
    const challenge = await challengeForKey(tx, actor, stepUpId);
    const keys = await keysOf(tx, actor.personId);
    return generateRegistrationOptions({
      rpName: party.id,
      rpID: party.id,
      userName: actor.email,
      userDisplayName: actor.name,
      userID: Uint8Array.from(Buffer.from(actor.personId)),
      challenge: Uint8Array.from(Buffer.from(challenge, 'hex')),
      excludeCredentials: keys.map((key) => ({ id: key.credential_id })),
      authenticatorSelection: { userVerification: 'required', residentKey: 'preferred' },
      attestationType: 'none',
      supportedAlgorithmIDs: ALGORITHMS,
    });
  });
}

/**
 * Stores the key that the browser has made.
 *
 * @throws Refusal too_many, passkey_no_name, step_up_expired, passkey_unread
 */
export async function addKey(
  actor: Person,
  given: { stepUpId: string; label: string; response: unknown },
): Promise<void> {
  await countAttempt(actor, 'step_up');
  const party = partyOrRefusal();
  const label = given.label.trim().slice(0, LABEL_MAX);
  await inTransaction(actor.merchantId, async (tx) => {
    await lockKeys(tx, actor.personId);
    const challenge = await challengeForKey(tx, actor, given.stepUpId);
    const made = await verifiedKey(party, challenge, given.response);
    if (made === null) throw new Refusal('passkey_unread');
    const [row] = await tx.$queryRaw<{ id: string }[]>`
      INSERT INTO passkeys (merchant_id, person_id, credential_id, rp_id, cose_key, public_key,
        counter, transports, label, added_with)
      VALUES (${actor.merchantId}::uuid, ${actor.personId}::uuid, ${made.id}, ${party.id},
        ${made.cose}, ${made.spki}, ${made.counter}, ${JSON.stringify(made.transports)}::jsonb,
        ${storable(label === '' ? party.id : label)}, ${given.stepUpId}::uuid)
      ON CONFLICT (credential_id) DO NOTHING RETURNING id`;
    if (!row) throw new Refusal('passkey_unread');
    const detail = { passkey: row.id, publicKey: made.spki, rpId: party.id };
    await audit(tx, actor, 'person.passkey_added', `person:${actor.personId}`, detail, { label });
  });
}

function partyOrRefusal(): RelyingParty {
  const party = relyingParty();
  if (party === null) throw new Refusal('passkey_no_name');
  return party;
}

/**
 * The challenge of the new key: it follows from an answer of this person that added none yet, by a
 * key where there is one. A key that was removed since allows nothing: it may be in other hands. The
 * table's guard asks for the same.
 */
async function challengeForKey(tx: Tx, actor: Person, stepUpId: string): Promise<string> {
  const [row] = UUID.test(stepUpId)
    ? await tx.$queryRaw<{ nonce: string }[]>`
    SELECT c.nonce FROM step_ups s JOIN step_up_challenges c ON c.id = s.challenge_id
    WHERE s.id = ${stepUpId}::uuid AND s.person_id = ${actor.personId}::uuid
      AND c.purpose = 'add_key'
      AND s.at > clock_timestamp() - make_interval(mins => ${ADD_MINUTES})
      AND NOT EXISTS (SELECT FROM passkeys k WHERE k.added_with = s.id)
      AND CASE WHEN s.method = 'passkey'
        THEN EXISTS (SELECT FROM passkeys k WHERE k.id = s.passkey_id AND k.removed_at IS NULL)
        ELSE NOT EXISTS (SELECT FROM passkeys k WHERE k.person_id = s.person_id
          AND k.removed_at IS NULL) END`
    : [];
  if (!row) throw new Refusal('step_up_expired');
  return keyChallengeOf(row.nonce);
}

type MadeKey = { id: string; cose: string; spki: string; counter: number; transports: string[] };

/** Null for what is no new key of this relying party, made with its owner verified. */
async function verifiedKey(
  party: RelyingParty,
  challenge: string,
  response: unknown,
): Promise<MadeKey | null> {
  const read = responseSchema.safeParse(response);
  if (!read.success) return null;
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: { ...read.data, clientExtensionResults: {} } as RegistrationResponseJSON,
      expectedChallenge: Buffer.from(challenge, 'hex').toString('base64url'),
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    });
    if (!verified) return null;
    const { id, publicKey, counter } = registrationInfo.credential;
    return {
      id,
      cose: Buffer.from(publicKey).toString('base64url'),
      spki: spkiOf(publicKey),
      counter,
      transports: read.data.response.transports ?? [],
    };
  } catch (error) {
    log.warn('a new passkey was refused', errorFields(error));
    return null;
  }
}

/** The public key in the form that every other program reads. */
function spkiOf(coseKey: Uint8Array<ArrayBuffer>): string {
  const key = decodeCredentialPublicKey(coseKey);
  const part = (bytes: Uint8Array | undefined): string =>
    Buffer.from(bytes ?? []).toString('base64url');
  if (cose.isCOSEPublicKeyEC2(key)) {
    const [x, y] = [part(key.get(cose.COSEKEYS.x)), part(key.get(cose.COSEKEYS.y))];
    return exported({ kty: 'EC', crv: 'P-256', x, y });
  }
  if (cose.isCOSEPublicKeyRSA(key)) {
    const [n, e] = [part(key.get(cose.COSEKEYS.n)), part(key.get(cose.COSEKEYS.e))];
    return exported({ kty: 'RSA', n, e });
  }
  throw new RangeError('a key of another algorithm');
}

function exported(jwk: Record<string, string>): string {
  return createPublicKey({ key: jwk, format: 'jwk' })
    .export({ type: 'spki', format: 'der' })
    .toString('base64url');
}
