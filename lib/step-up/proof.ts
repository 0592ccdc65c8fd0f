import type { StepUpMethod, StepUpPurpose } from './method.ts';

/** What an answered challenge proves. Pure: shared with the simulator. */

export type SignedContent = {
  kind: string;
  contentHash: string;
  extId: string;
  amountMinor: bigint;
  currency: string;
};

/** What is signed of one movement; the content hash covers payee and name. */
export function signedText(content: SignedContent): string {
  const { kind, contentHash, extId, amountMinor, currency } = content;
  return JSON.stringify([kind, contentHash, extId, amountMinor.toString(), currency]);
}

/** `items`: what was signed, one text for each movement. */
export type Answer = {
  personId: string;
  method: 'sign_in' | 'passkey';
  purpose: StepUpPurpose;
  policyVersion: number;
  items: readonly string[];
};

/** Whether the policy is still the one under which the person was asked. */
export function isOfPolicy(
  { policyVersion }: Pick<Answer, 'policyVersion'>,
  policy: { version: number } | null,
): boolean {
  return policyVersion === (policy?.version ?? 0);
}

/**
 * What an answer proves about one movement and one approver. `item`: the movement's own text.
 * `isSigned`: whether the signature of a passkey holds.
 */
export function methodOf<Given extends Answer>(
  answer: Given | null,
  signer: { personId: string; overrides: boolean },
  item: string,
  isSigned: (answer: Given) => boolean,
): StepUpMethod {
  if (answer === null || answer.personId !== signer.personId) return 'none';
  if (answer.purpose !== (signer.overrides ? 'override' : 'approve')) return 'none';
  if (!answer.items.includes(item)) return 'none';
  if (answer.method === 'sign_in') return 'sign_in';
  return isSigned(answer) ? 'passkey' : 'none';
}
