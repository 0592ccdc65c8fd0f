/** What a policy asks of whoever approves, and what an answer is worth. Pure. */

/** How an approval was signed. `sign_in`: password and code, no signature. */
export type StepUpMethod = 'none' | 'sign_in' | 'passkey';

/** `add_key`: the person allows a key to be added; nothing is approved. */
export type StepUpPurpose = 'approve' | 'override' | 'add_key';

/** What a policy asks for. `any`: a passkey or a fresh sign-in. */
export type StepUpAsked = 'none' | 'any' | 'passkey';

export function isEnough(method: StepUpMethod, asked: StepUpAsked): boolean {
  switch (asked) {
    case 'none':
      return true;
    case 'any':
      return method !== 'none';
    case 'passkey':
      return method === 'passkey';
  }
}

/** The strictest of several. */
export function strictestStepUp(asked: readonly StepUpAsked[]): StepUpAsked {
  if (asked.includes('passkey')) return 'passkey';
  return asked.includes('any') ? 'any' : 'none';
}
