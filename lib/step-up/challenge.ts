import 'server-only';
import { createHash } from 'node:crypto';
import type { StepUpPurpose } from './method.ts';
import { signedText } from './proof.ts';
import type { SignedContent } from './proof.ts';

/**
 * What a person signs. One challenge covers one movement, or all that are approved together; the
 * worker and `scripts/verify-audit.mjs` compute it again from the movements themselves.
 */

export type { StepUpPurpose } from './method.ts';

/** `nonce`: 32 random bytes of the server in hexadecimal. `items`: hashes by `stepUpItem`. */
export type ChallengeParts = {
  purpose: StepUpPurpose;
  nonce: string;
  policyVersion: number;
  items: readonly string[];
};

export type { SignedContent } from './proof.ts';

/** The content hash covers payee and name: who changes one of them changes the hash. */
export function stepUpItem(content: SignedContent): string {
  return sha256(signedText(content));
}

/** The challenge as hexadecimal text; a browser gets its bytes. */
export function challengeOf({ purpose, nonce, policyVersion, items }: ChallengeParts): string {
  return sha256(JSON.stringify(['step-up', 1, purpose, nonce, policyVersion, items]));
}

/** The challenge under which a new key is made, after the person has answered this one. */
export function keyChallengeOf(nonce: string): string {
  return sha256(JSON.stringify(['new-key', 1, nonce]));
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
