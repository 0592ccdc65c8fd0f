import type { PolicyView, RuleView } from './view.ts';

type Shown = Pick<PolicyView, 'rules' | 'stepUp'>;

/** What a proposal adds, takes away and leaves; a changed rule is one taken away and one added. */
export type PolicyChange = Record<'added' | 'removed' | 'kept', Shown>;

/** Compares the policy in force with a proposal. The order of rules, kinds and wallets is nothing. Pure. */
export function comparePolicies(before: Shown, after: Shown): PolicyChange {
  const had = new Set(before.rules.map(textOf));
  const has = new Set(after.rules.map(textOf));
  const isSameStepUp = stepUpText(before) === stepUpText(after);
  return {
    added: {
      rules: after.rules.filter((rule) => !had.has(textOf(rule))),
      stepUp: isSameStepUp ? null : after.stepUp,
    },
    removed: {
      rules: before.rules.filter((rule) => !has.has(textOf(rule))),
      stepUp: isSameStepUp ? null : before.stepUp,
    },
    kept: {
      rules: after.rules.filter((rule) => had.has(textOf(rule))),
      stepUp: isSameStepUp ? after.stepUp : null,
    },
  };
}

function textOf({ when, currency, from, approvals, who, classes, wallets }: RuleView): string {
  const lists = [classes.toSorted(), wallets.toSorted()];
  return JSON.stringify([when, currency, from, approvals, who, ...lists]);
}

function stepUpText({ stepUp }: Shown): string {
  if (stepUp === null) return '';
  const from = stepUp.from.map(({ currency, amount }) => `${currency} ${amount}`).toSorted();
  return JSON.stringify([from, stepUp.signInAllowed]);
}
