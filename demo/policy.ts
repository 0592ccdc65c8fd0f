/** The demo's approval policy, agreed on by its owner and its approver. */
import { confirmPolicy } from '#lib/policy/confirm.ts';
import { proposePolicy } from '#lib/policy/propose.ts';
import type { PolicyRule } from '#lib/policy/rules.ts';
import { viewPolicy } from '#lib/policy/view.ts';
import type { Desk } from './desk.ts';

const ONE = { wallets: [], currency: 'TRY', approvals: 1, who: 'approver' } as const;
const TO_OTHERS: PolicyRule['classes'] = ['payout', 'transfer'];

/** Below these amounts a clerk's payment leaves without a second person, as the README says. */
export const DEMO_RULES: readonly PolicyRule[] = [
  { ...ONE, classes: TO_OTHERS, when: 'amount', fromMinor: 2_500_000n },
  { ...ONE, classes: TO_OTHERS, when: 'amount', fromMinor: 25_000_000n, approvals: 2 },
  { ...ONE, classes: ['payout'], when: 'first_payment', fromMinor: 2_000_000n },
  { ...ONE, classes: ['refund'], when: 'amount', fromMinor: 500_000n },
];

/** The owner proposes the rules, and the approver confirms them. */
export async function agreeOnPolicy(desk: Desk): Promise<void> {
  const reason = 'Büyük tutarlar, ilk ödemeler ve iadeler ikinci bir göz ister';
  await proposePolicy(desk.person('owner'), { rules: DEMO_RULES, stepUp: null, reason });
  const { proposal } = await viewPolicy(desk.person('approver'));
  if (proposal === null) throw new Error('the proposed policy cannot be read back');
  await confirmPolicy(desk.person('approver'), proposal.id);
}
