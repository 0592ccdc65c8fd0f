import type { Mutation } from './mutation.ts';

/**
 * Bugs in what a policy asks for, in who may give it, in what a signature proves, and in what the
 * worker counts.
 */

const CLAIM = 'lib/movements/claim-rules.ts';
const COVER = 'lib/movements/approvals-cover.ts';
const APPROVAL = 'lib/approvals/approval-rules.ts';
const REQUIREMENT = 'lib/movements/requirement.ts';
const PROOF = 'lib/step-up/proof.ts';
const RULES = 'lib/policy/rules.ts';
const LIMITS = 'lib/policy/limits.ts';

const LATEST_ASKS = {
  file: REQUIREMENT,
  find: 'return isStricter ? next : null;',
  replace: 'return isStricter || !isStricter ? next : null;',
};

export const POLICY_BUGS: readonly Mutation[] = [
  {
    name: 'stricter-policy-ignored',
    drill: 'policy-stricter',
    about: 'a policy that asks for more by then is not asked',
    file: REQUIREMENT,
    find: 'return isStricter ? next : null;',
    replace: 'return isStricter ? null : null;',
  },
  {
    name: 'later-owners-ignored',
    drill: 'policy-stricter',
    about: 'a policy that asks for owners by then is not asked',
    file: REQUIREMENT,
    find: '(next.ownersOnly && !asked.some((one) => one.ownersOnly)) ||',
    replace: '',
  },
  {
    name: 'later-signature-ignored',
    drill: 'policy-stricter',
    about: 'a policy that asks for signatures by then is not asked',
    file: REQUIREMENT,
    find: 'strictestStepUp([next.stepUp, ...signed]) !== strictestStepUp(signed);',
    replace: 'strictestStepUp([next.stepUp, ...signed]) === null;',
  },
  {
    name: 'looser-policy-lowers',
    drill: 'policy-looser',
    about: 'a policy that asks for fewer people by then lowers what was asked',
    edits: [
      LATEST_ASKS,
      {
        file: COVER,
        find: 'return Math.max(movement.approvalsNeeded, ...requirements.map((one) => one.needed));',
        replace: 'return requirements.at(-1)?.needed ?? movement.approvalsNeeded;',
      },
    ],
  },
  {
    name: 'looser-policy-unsigns',
    drill: 'policy-looser',
    about: 'a policy that asks for no signature by then takes back what was asked',
    edits: [
      LATEST_ASKS,
      {
        file: COVER,
        find: 'const stepUp = strictestStepUp(requirements.map((one) => one.stepUp));',
        replace: "const stepUp = requirements.at(-1)?.stepUp ?? 'none';",
      },
      {
        file: APPROVAL,
        find: 'strictestStepUp(asked.map((one) => one.stepUp))',
        replace: "asked.at(-1)?.stepUp ?? 'none'",
      },
    ],
  },
  {
    name: 'approver-where-owners-are-asked',
    drill: 'owners-only',
    about: 'an approver counts where the policy asks for owners',
    edits: [
      {
        file: APPROVAL,
        find: "return role !== 'owner' && asked.some((one) => one.ownersOnly) ? 'approver_role' : null;",
        replace: "return role === 'clerk' ? 'approver_role' : null;",
      },
      {
        file: COVER,
        find: 'filter((one) => one.asOwner || !byOwners)',
        replace: 'filter((one) => one.asOwner || byOwners || !byOwners)',
      },
    ],
  },
  {
    name: 'worker-counts-any-role',
    drill: 'past-the-page',
    about: 'the worker counts an approver where the policy asks for owners',
    file: COVER,
    find: 'filter((one) => one.asOwner || !byOwners)',
    replace: 'filter((one) => one.asOwner || byOwners || !byOwners)',
  },
  {
    name: 'signature-unasked-at-the-approval',
    drill: 'weak-signatures',
    about: 'nobody asks for a signature, neither at the approval nor before the send',
    edits: [
      {
        file: APPROVAL,
        find: "? null : 'step_up_needed';",
        replace: '? null : null;',
      },
      {
        file: COVER,
        find: 'isEnough(one.signed, stepUp)',
        replace: "isEnough(one.signed, stepUp === 'none' ? stepUp : 'none')",
      },
    ],
  },
  {
    name: 'signature-of-approvals-unasked',
    drill: 'past-the-page',
    about: 'an approval without a signature that proves anything still counts for the worker',
    file: COVER,
    find: 'isEnough(one.signed, stepUp)',
    replace: "isEnough(one.signed, stepUp === 'none' ? stepUp : 'none')",
  },
  {
    name: 'signature-trusted-by-the-worker',
    drill: 'spoiled-signatures',
    about: 'the worker believes what is stored of a signature and does not compute it anew',
    file: 'lib/movements/checked-approvals.ts',
    find: 'signed: proved(stepUp, { personId: approval.personId, overrides: approval.releases }),',
    replace:
      'signed: stepUp === null ? proved(stepUp, { personId: approval.personId, overrides: ' +
      'approval.releases }) : (stepUp as { method: StepUpMethod }).method,',
  },
  {
    name: 'signature-uncompared-with-content',
    drill: 'weak-signatures',
    about: 'a signature of one payment counts for every other',
    file: PROOF,
    find: "if (!answer.items.includes(item)) return 'none';",
    replace: '',
  },
  {
    name: 'signature-without-content',
    drill: 'weak-signatures',
    about: 'what is signed does not hold the amount and the payee',
    file: PROOF,
    find: 'return JSON.stringify([kind, contentHash, extId, amountMinor.toString(), currency]);',
    replace:
      'return JSON.stringify([kind, contentHash, amountMinor].length > 0 ? [kind, extId, currency] : []);',
  },
  {
    name: 'signature-of-somebody-else',
    drill: 'weak-signatures',
    about: 'the signature of another person counts',
    file: PROOF,
    find: 'answer === null || answer.personId !== signer.personId',
    replace: 'answer === null',
  },
  {
    name: 'signature-for-another-purpose',
    drill: 'weak-signatures',
    about: 'who has signed a release has signed an approval, and the other way round',
    file: PROOF,
    find: "if (answer.purpose !== (signer.overrides ? 'override' : 'approve')) return 'none';",
    replace: '',
  },
  {
    name: 'sign-in-where-a-passkey-is-asked',
    drill: 'weak-signatures',
    about: 'password and code count where the policy asks for a passkey',
    file: 'lib/step-up/method.ts',
    find: "return method === 'passkey';",
    replace: "return method !== 'none';",
  },
  {
    name: 'disabled-still-counts',
    drill: 'lapsed-approvals',
    about: 'what a person approved counts after the person was disabled',
    file: COVER,
    find: '&& !one.lapsed',
    replace: '',
  },
  {
    name: 'released-by-an-approver',
    drill: 'released-by-an-owner',
    about: 'an approver may release a payment alone',
    edits: [
      {
        file: 'lib/access/actor.ts',
        find: "'onboarding.read', 'movement.approve',",
        replace: "'onboarding.read', 'movement.approve', 'movement.override',",
      },
      {
        file: COVER,
        find: 'one.releases && one.asOwner',
        replace: 'one.releases',
      },
    ],
  },
  {
    name: 'owner-counts-for-everybody',
    drill: 'own-limits',
    about: 'every approval of an owner releases a payment',
    file: COVER,
    find: 'one.releases && one.asOwner',
    replace: 'one.asOwner',
  },
  {
    name: 'earlier-maker-approves',
    drill: 'sent-back',
    about: 'who made what was sent back approves its copy',
    file: APPROVAL,
    find: "return makers.includes(personId) ? 'own_movement' : null;",
    replace: "return makers[0] === personId ? 'own_movement' : null;",
  },
  {
    name: 'approved-content-uncompared',
    drill: 'row-changed-after-approval',
    about: 'a row that was changed after its approvals leaves, if its hash stayed',
    file: CLAIM,
    find: '(!isJudged || due.intact) && approvalsCover(due)',
    replace: 'isJudged === isJudged && approvalsCover(due)',
  },
  {
    name: 'one-rule-of-owners-is-lost',
    drill: 'policy-stricter',
    about: 'of two rules that apply, the one that asks for owners is lost',
    file: RULES,
    find: "applied.some((rule) => rule.who === 'owner')",
    replace: "applied.every((rule) => rule.who === 'owner')",
  },
  {
    name: 'one-rule-of-two-people-is-lost',
    drill: 'policy-stricter',
    about: 'of two rules that apply, the one that asks for two people is lost',
    file: RULES,
    find: 'applied.some((rule) => rule.approvals === 2)',
    replace: 'applied.every((rule) => rule.approvals === 2)',
  },
  {
    name: 'day-of-the-maker-forgotten',
    drill: 'sums-of-a-day',
    about: 'what the maker prepared before on that day is not added',
    file: RULES,
    find: "amountMinor + sum(rule, facts, 'byMakerMinor') >= rule.fromMinor",
    replace: 'amountMinor >= rule.fromMinor',
  },
  {
    name: 'split-unseen',
    drill: 'sums-of-a-day',
    about: 'two payments to one payee, each below the amount, are not seen as one',
    file: RULES,
    find: "amountMinor + sum(rule, facts, 'toPayeeMinor') >= rule.fromMinor",
    replace: 'amountMinor >= rule.fromMinor',
  },
  {
    name: 'first-payment-unseen',
    drill: 'first-payments',
    about: 'the first payment to a payee is one like any other',
    file: RULES,
    find: 'return facts.isFirstPayment && amountMinor',
    replace: 'return facts.isFirstPayment && facts.isPayeeChanged && amountMinor',
  },
  {
    name: 'payee-change-unseen',
    drill: 'first-payments',
    about: 'a known name on another account is one like any other',
    file: RULES,
    find: 'return facts.isPayeeChanged && amountMinor',
    replace: 'return facts.isPayeeChanged && !facts.isFirstPayment && amountMinor',
  },
  {
    name: 'own-limit-asks-nobody',
    drill: 'own-limits',
    about: 'a payment above its maker’s own limit asks for nobody',
    file: LIMITS,
    find: 'if (broken.length === 0) return judgement;',
    replace: 'if (broken.length >= 0) return judgement;',
  },
  {
    name: 'own-limit-adds-nobody',
    drill: 'own-limits',
    about: 'above the own limit one person is enough, whatever the policy asks',
    file: LIMITS,
    find: 'judgement.needed + 1 >= APPROVALS_MAX ? 2 : 1',
    replace: 'judgement.needed + 1 > APPROVALS_MAX ? 2 : 1',
  },
  {
    name: 'signed-above-the-amount',
    about: 'a payment of exactly the amount is not signed',
    file: 'lib/policy/step-up-rule.ts',
    find: 'amountMinor >= one.fromMinor',
    replace: 'amountMinor > one.fromMinor',
  },
  {
    name: 'refunds-ask-nobody',
    side: 'card',
    about: 'no rule of the policy is about refunds',
    file: 'lib/movements/kinds.ts',
    find: "policyClass: 'refund',",
    replace: 'policyClass: null,',
  },
  {
    name: 'refunds-outside-the-own-limit',
    side: 'card',
    about: 'a refund is not held against its maker’s own limit',
    file: LIMITS,
    find: "const LIMITED: readonly PolicyClass[] = ['payout', 'transfer', 'refund'];",
    replace: "const LIMITED: readonly PolicyClass[] = ['payout', 'transfer'];",
  },
  {
    name: 'approved-after-a-day',
    drill: 'approved-a-day-later',
    about: 'what has run out is approved while no worker has said so',
    file: APPROVAL,
    find: "movement.state !== 'AWAITING_APPROVAL' || hasRunOut(movement, now)",
    replace: "movement.state !== 'AWAITING_APPROVAL'",
  },
];
