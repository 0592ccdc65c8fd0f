import type { PolicyRule } from '#lib/policy/rules.ts';
import type { StepUpRule } from '#lib/policy/step-up-rule.ts';
import { once, paid } from './drill.ts';
import type { Drill } from './drill.ts';
import { EVERYTHING } from './governance.ts';
import type { GovernancePlan } from './governance.ts';
import type { Life } from './lives.ts';
import type { Row } from './store.ts';
import { HOUR } from './time.ts';

/** Drills for approvals by a policy: what people press, and what changes while something waits. */

const ROLES: GovernancePlan['roles'] = {
  selin: 'owner',
  deniz: 'approver',
  can: 'approver',
  ayse: 'clerk',
  mehmet: 'clerk',
};
export const SIGNED: StepUpRule = {
  from: [{ currency: 'TRY', fromMinor: 1n }],
  signInAllowed: false,
};

export function policy(
  rule: Partial<PolicyRule>,
  stepUp: StepUpRule | null = null,
  more: Partial<GovernancePlan> = {},
): GovernancePlan {
  return {
    first: { rules: [{ ...EVERYTHING, ...rule }], stepUp },
    roles: ROLES,
    limits: {},
    ...more,
  };
}

/** Paid once with all approvals that were asked for, which the judges count; or nothing moved. */
export const paidOnceOrNot = (life: Life, row: Row): boolean =>
  paid(row) ? once(life) : life.executed === 0;

const isTold = (life: Life): boolean => life.flags.has('approvals_missing');

export const APPROVAL_DRILLS: readonly Drill[] = [
  {
    name: 'policy-stricter',
    fault: 'a policy that asks for more people, for owners or for signatures comes while it waits',
    expected: 'the last approval asks by the policy of its own moment',
    marks: ['policy stricter while it waited'],
    faults: { policyStricter: 0.6 },
    beside: { policy: 1 },
    knobs: { governance: policy({}), healsAt: 10 * HOUR },
    holds: paidOnceOrNot,
  },
  {
    name: 'policy-looser',
    fault: 'a policy that asks for fewer people, of any role and unsigned, comes while it waits',
    expected: 'what was asked at the submit stays asked',
    marks: ['policy looser while it waited', 'left with its approvals'],
    faults: { policyLooser: 0.9 },
    beside: { policy: 1, weakSignature: 0.4 },
    knobs: { governance: policy({ approvals: 2 }, SIGNED), healsAt: 10 * HOUR },
    holds: paidOnceOrNot,
  },
  {
    name: 'owners-only',
    fault: 'approvers press where the policy asks for owners',
    expected: 'only owners count',
    marks: ['approver where owners are asked', 'left with its approvals'],
    faults: {},
    beside: { policy: 1, strangeApproval: 0.5 },
    knobs: { governance: policy({ who: 'owner' }), healsAt: 10 * HOUR },
    holds: paidOnceOrNot,
  },
  {
    name: 'weak-signatures',
    fault: 'people sign nothing, by password where a passkey is asked, or something else',
    expected: 'no such approval counts',
    marks: ['signed too weakly', 'signed something else'],
    faults: { weakSignature: 0.5, strangeSignature: 0.5 },
    beside: { policy: 1 },
    knobs: { governance: policy({}, SIGNED), healsAt: 10 * HOUR },
    holds: paidOnceOrNot,
  },
  {
    name: 'past-the-page',
    fault: 'every press that the database takes is stored, as if the page had refused none',
    expected: 'the worker counts only what the policy asked for',
    marks: ['signed too weakly', 'signed something else', 'approved by its maker'],
    faults: { unguarded: 1, strangeApproval: 0.6, weakSignature: 0.4, strangeSignature: 0.4 },
    beside: { policy: 1 },
    knobs: {
      governance: policy({ who: 'owner' }, SIGNED, {
        roles: { ...ROLES, ayse: 'owner', mehmet: 'owner' },
      }),
      healsAt: 10 * HOUR,
    },
    holds: paidOnceOrNot,
  },
  {
    name: 'spoiled-signatures',
    fault: 'a stored signature holds no longer when the worker comes',
    expected: 'the worker computes it anew and sends nothing, and an alert is up',
    marks: ['signature spoiled'],
    faults: { spoiledSignature: 1 },
    beside: { policy: 1 },
    knobs: { governance: policy({}, SIGNED), healsAt: 10 * HOUR },
    holds: (life, row) =>
      paidOnceOrNot(life, row) && (paid(row) || !life.states.includes('APPROVED') || isTold(life)),
  },
  {
    name: 'row-changed-after-approval',
    fault: 'somebody changes the amount of a row past every trigger, and leaves its hash',
    expected: 'nothing of it leaves: an alert is up until somebody cancels it, or it runs out',
    marks: ['row changed past the triggers'],
    faults: { rowTampered: 1 },
    beside: { policy: 1 },
    knobs: {
      governance: {
        first: {
          rules: [EVERYTHING, { ...EVERYTHING, fromMinor: 1_000_000n, approvals: 2 }],
          stepUp: null,
        },
        roles: ROLES,
        limits: {},
      },
      healsAt: 10 * HOUR,
    },
    holds: (life, row) => life.executed === 0 && (row.state === 'EXPIRED' || isTold(life)),
  },
  {
    name: 'disabled-people',
    fault: 'the maker is disabled while it waits, or an approver before it left',
    expected: 'a disabled person gives none, and what they gave counts once they are enabled again',
    marks: ['maker disabled while it waited', 'approver disabled before it left'],
    faults: { makerDisabled: 0.8, approverDisabled: 0.8 },
    beside: { policy: 1 },
    knobs: { governance: policy({ approvals: 2 }), healsAt: 10 * HOUR },
    holds: paidOnceOrNot,
  },
  {
    name: 'lapsed-approvals',
    fault: 'an approver is disabled after the last approval, while nothing may leave',
    expected: 'nothing leaves on it: it waits again, and another person approves it',
    marks: ['waits again for an approval', 'left with its approvals'],
    faults: { approverDisabled: 1 },
    beside: { policy: 1, killSwitch: 1, stall: 0.3 },
    knobs: { governance: policy({}), healsAt: 20 * HOUR },
    holds: paidOnceOrNot,
  },
  {
    name: 'released-by-an-owner',
    fault: 'an owner releases a payment alone, and others try to',
    expected: 'the word of an owner counts, and of nobody else',
    marks: ['left on the word of an owner', 'released by no owner'],
    faults: { override: 0.7 },
    beside: { policy: 1 },
    knobs: { governance: policy({ approvals: 2 }, SIGNED), healsAt: 10 * HOUR },
    holds: paidOnceOrNot,
  },
  {
    name: 'sent-back',
    fault: 'an approver sends it back, a colleague fills in its copy, and its first maker approves',
    expected: 'whoever made a version of it does not count',
    marks: ['sent back', 'approved by an earlier maker'],
    faults: { sendBack: 0.9, otherMaker: 1, strangeApproval: 0.6 },
    beside: { policy: 1, payAgain: 1 },
    knobs: {
      governance: policy({}, null, { roles: { ...ROLES, ayse: 'approver', mehmet: 'approver' } }),
      healsAt: 20 * HOUR,
    },
    holds: paidOnceOrNot,
  },
  {
    name: 'two-at-once',
    fault: 'all approvers press at the same moment',
    expected: 'one step, and one send',
    marks: ['two approve at once', 'left with its approvals'],
    faults: { twoAtOnce: 1 },
    beside: { policy: 1 },
    knobs: { governance: policy({ approvals: 2 }), healsAt: 10 * HOUR },
    holds: (life, row) =>
      life.states.filter((state) => state === 'APPROVED').length <= 1 && paidOnceOrNot(life, row),
  },
  {
    name: 'sums-of-a-day',
    fault: 'what one payment does not reach, two of a day do: of one maker, or to one payee',
    expected: 'the second waits for an approval',
    marks: ['left with its approvals'],
    faults: {},
    beside: { policy: 1 },
    knobs: {
      governance: {
        first: {
          rules: [
            { ...EVERYTHING, when: 'split', fromMinor: 2_000_000n },
            { ...EVERYTHING, when: 'maker_day', fromMinor: 2_000_000n, approvals: 2 },
          ],
          stepUp: null,
        },
        roles: ROLES,
        limits: {},
      },
      healsAt: 10 * HOUR,
    },
    twins: true,
    holds: paidOnceOrNot,
  },
  {
    name: 'first-payments',
    fault: 'the payee has never been paid, or the same name on another account',
    expected: 'it waits for the approvals that such a payment needs',
    marks: ['left with its approvals'],
    faults: {},
    beside: { policy: 1, payAgain: 1, bankReturn: 0.5 },
    knobs: {
      governance: {
        first: {
          rules: [
            { ...EVERYTHING, when: 'first_payment' },
            { ...EVERYTHING, when: 'payee_changed', approvals: 2 },
          ],
          stepUp: null,
        },
        roles: ROLES,
        limits: {},
      },
      healsAt: 20 * HOUR,
    },
    twins: true,
    holds: paidOnceOrNot,
  },
  {
    name: 'own-limits',
    fault: 'a payment is above its maker’s own limit',
    expected: 'one person more than the policy asks for, and never fewer',
    marks: ['left with its approvals'],
    faults: {},
    beside: { policy: 1 },
    knobs: {
      governance: policy({ fromMinor: 1_000_000n, approvals: 1 }, null, {
        limits: {
          ayse: { currency: 'TRY', singleMinor: 60_000n, dayMinor: null },
          mehmet: { currency: 'TRY', singleMinor: null, dayMinor: 90_000n },
        },
      }),
      healsAt: 10 * HOUR,
    },
    holds: paidOnceOrNot,
  },
  {
    name: 'approved-a-day-later',
    fault: 'people approve after a day, while no worker has said yet that it ran out',
    expected: 'it has run out all the same',
    marks: ['approved a day later'],
    takesLonger: true,
    faults: { lateApproval: 1 },
    beside: { policy: 1, stall: 0.8 },
    knobs: { governance: policy({}), healsAt: 30 * HOUR, workers: 1, places: ['before claim'] },
    holds: (life) => life.executed === 0,
  },
];
