import 'server-only';
import { generateAuthenticationOptions } from '@simplewebauthn/server';
import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/server';
import type { Person } from '#lib/access/actor.ts';
import type { Tx } from '#lib/runtime/db.ts';
import { challengeOf } from '#lib/step-up/challenge.ts';
import type { ChallengeParts } from '#lib/step-up/challenge.ts';
import { storeChallenge, STEP_UP_SECONDS } from './challenges.ts';
import { keysOf } from './keys.ts';
import { relyingParty } from './party.ts';

/**
 * What a person's browser needs to answer a challenge. `passkey` null: the person has no key that
 * works at this address. `signIn`: password and code count too.
 */
export type AskedStepUp = {
  challengeId: string;
  passkey: PublicKeyCredentialRequestOptionsJSON | null;
  canAddKey: boolean;
  signIn: boolean;
};

/** Stores a challenge and says how it can be answered. */
export async function askForAnswer(
  tx: Tx,
  actor: Person,
  content: Omit<ChallengeParts, 'nonce'>,
  signIn: boolean,
): Promise<AskedStepUp> {
  const challenge = await storeChallenge(tx, actor, content);
  const party = relyingParty();
  const keys = (await keysOf(tx, actor.personId)).filter((key) => key.rp_id === party?.id);
  const passkey =
    party === null || keys.length === 0
      ? null
      : await generateAuthenticationOptions({
          rpID: party.id,
          challenge: Uint8Array.from(Buffer.from(challengeOf(challenge), 'hex')),
          allowCredentials: keys.map((key) => ({
            id: key.credential_id,
            transports: key.transports,
          })),
          userVerification: 'required',
          timeout: STEP_UP_SECONDS * 1000,
        });
  return { challengeId: challenge.id, passkey, canAddKey: party !== null, signIn };
}
