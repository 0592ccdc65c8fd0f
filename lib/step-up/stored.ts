import 'server-only';
import type { Assertion } from './assertion.ts';
import { isSignedBy } from './assertion.ts';
import { challengeOf, stepUpItem } from './challenge.ts';
import type { ChallengeParts, SignedContent } from './challenge.ts';
import type { StepUpMethod } from './method.ts';
import { methodOf } from './proof.ts';
import type { Answer } from './proof.ts';

/**
 * An answered challenge as stored. `enrolled`: the key as the person has added it, which the
 * assertion's key has to be.
 */
export type StoredStepUp = ChallengeParts &
  Answer & {
    assertion: Assertion | null;
    enrolled: { personId: string; publicKey: string; rpId: string } | null;
  };

/**
 * What a stored answer proves about one movement and one approver; `none` for an answer that is about
 * another content, of another person, for another purpose, or whose signature does not hold. Pure.
 */
export function methodProved(
  stored: StoredStepUp | null,
  signer: { personId: string; overrides: boolean },
  content: SignedContent,
): StepUpMethod {
  return methodOf(stored, signer, stepUpItem(content), isSigned);
}

/** Whether the key that the person has added signed the whole challenge. */
function isSigned(stored: StoredStepUp): boolean {
  const { personId, assertion, enrolled } = stored;
  if (assertion === null || enrolled === null || enrolled.personId !== personId) return false;
  if (assertion.publicKey !== enrolled.publicKey) return false;
  return isSignedBy(assertion, { challenge: challengeOf(stored), rpId: enrolled.rpId });
}
