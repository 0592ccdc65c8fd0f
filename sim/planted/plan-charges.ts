import type { Mutation } from './mutation.ts';

/** Bugs of the charges of plans that a test file has to find. */

const VERIFY = 'lib/cards/recurring/verify-due.ts';
const PLAN = 'lib/cards/recurring/plan.ts';
const DECLINED_TEST = { test: 'lib/cards/recurring/declined-rows.db.test.ts' };
const PRESS_TEST = { test: 'lib/cards/recurring/next-press.db.test.ts' };
const ENDED = "'refused', 'people_said', 'called_off_unproven'";

const PLANTED: readonly Mutation[] = [
  {
    name: 'plan-peoples-charge-has-no-row',
    foundBy: DECLINED_TEST,
    about: 'the late row of a charge that people ended declines the charge after it',
    file: VERIFY,
    find: ENDED,
    replace: "'refused', 'called_off_unproven'",
  },
  {
    name: 'plan-called-off-charge-has-no-row',
    foundBy: DECLINED_TEST,
    about:
      'the late row of a charge that a restore may have forgotten declines the charge after it',
    file: VERIFY,
    find: ENDED,
    replace: "'refused', 'people_said'",
  },
  {
    name: 'plan-declined-charge-has-two-rows',
    foundBy: DECLINED_TEST,
    about: 'a charge whose declined row was seen is expected to get another one',
    file: VERIFY,
    find: ENDED,
    replace: `${ENDED}, 'declined'`,
  },
  {
    name: 'plan-charges-of-others-counted',
    foundBy: DECLINED_TEST,
    about: 'a refused charge of another plan keeps a declined charge unknown',
    file: VERIFY,
    find: "WHERE plan_id = ${planId}::uuid AND id <> ${id}::uuid AND state = 'NOT_CHARGED'",
    replace: "WHERE ${planId}::uuid IS NOT NULL AND id <> ${id}::uuid AND state = 'NOT_CHARGED'",
  },
  {
    name: 'plan-one-row-more-expected',
    foundBy: DECLINED_TEST,
    about: 'a declined charge stays unknown although no earlier one can have its row',
    file: VERIFY,
    find: 'return found.count;',
    replace: 'return found.count + 1;',
  },
  {
    name: 'plan-less-is-the-same-amount',
    foundBy: { test: 'lib/cards/recurring/other-amount.test.ts' },
    about: 'a charge that took less than was asked for is not flagged',
    file: 'lib/cards/recurring/charge.ts',
    find: 'BigInt(taken.amountMinor) !== askedMinor',
    replace: 'BigInt(taken.amountMinor) > askedMinor',
  },
  {
    name: 'plan-refused-change-is-open',
    foundBy: PRESS_TEST,
    about: 'a change that the gateway refused counts as one that may still arrive',
    file: 'lib/cards/recurring/change.ts',
    find: "if (outcome.kind !== 'no_answer')",
    replace: "if (outcome.kind === 'done')",
  },
  {
    name: 'plan-declined-row-is-taken',
    foundBy: PRESS_TEST,
    about: 'a declined row counts as a taken charge, and the next one cannot be requested',
    file: PLAN,
    find: "return charges.filter((charge) => charge.status === 'completed').length;",
    replace: "return charges.filter((charge) => charge.status !== 'pending').length;",
  },
  {
    name: 'plan-taken-charges-uncompared',
    foundBy: PRESS_TEST,
    about: 'a page older than the last charge requests another one where charges have no number',
    file: PLAN,
    find: 'takenCharges(plan) === form.taken',
    replace: 'takenCharges(plan) >= form.taken',
  },
];

export const PLAN_CHARGE_BUGS: readonly Mutation[] = PLANTED.map((one) => ({
  ...one,
  side: 'card',
}));
