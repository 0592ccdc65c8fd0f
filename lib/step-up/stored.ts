import 'server-only';
import type { Assertion } from './assertion.ts';
import { isSignedBy } from './assertion.ts';
import { challengeOf, stepUpItem } from './challenge.ts';
import type { ChallengeParts, SignedContent } from './challenge.ts';
import type { StepUpMethod } from './method.ts';
import { methodOf } from './proof.ts';
import type { Answer } from './proof.ts';
import { rootFrom } from './tree.ts';
import type { TreeStep } from './tree.ts';

/**
 * An answered challenge as stored. `enrolled`: the key as the person has added it, which the
 * assertion's key has to be. `tree`: the steps from a movement to the batch that was signed; absent or
 * null where the movement itself was.
 */
export type StoredStepUp = ChallengeParts &
  Answer & {
    assertion: Assertion | null;
    enrolled: { personId: string; publicKey: string; rpId: string } | null;
    tree?: readonly TreeStep[] | null;
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
  const item = stepUpItem(content);
  const tree = stored?.tree ?? null;
  return itemProved(stored, signer, tree === null ? item : rootFrom(item, tree));
}

/** The same for what was signed itself: a movement by `stepUpItem`, or the hash of a batch. */
export function itemProved(
  stored: StoredStepUp | null,
  signer: { personId: string; overrides: boolean },
  item: string,
): StepUpMethod {
  return methodOf(stored, signer, item, isSigned);
}

/** Whether the key that the person has added signed the whole challenge. */
function isSigned(stored: StoredStepUp): boolean {
  const { personId, assertion, enrolled } = stored;
  if (assertion === null || enrolled === null || enrolled.personId !== personId) return false;
  if (assertion.publicKey !== enrolled.publicKey) return false;
  return isSignedBy(assertion, { challenge: challengeOf(stored), rpId: enrolled.rpId });
}
