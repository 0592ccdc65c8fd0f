import type { StepUpAsked } from '#lib/step-up/method.ts';
import type { PolicyJudgement } from './rules.ts';
import { judgeStepUp } from './step-up-rule.ts';
import type { StepUpRule } from './step-up-rule.ts';

/**
 * What the policy of a moment asks of one movement. Pure: the product and the simulator put it
 * together in the same way.
 */

/**
 * `version` null: the merchant has no policy; only the maker's own limit asks for an approval.
 * `stepUp`: how an approval that is needed is signed.
 */
export type PolicyVerdict = {
  version: number | null;
  judgement: PolicyJudgement;
  stepUp: StepUpAsked;
};

/** `judgement`: of the rules, with what the maker's own limit adds. `policy` null: there is none. */
export function verdictOf(
  policy: { version: number; stepUp: StepUpRule | null } | null,
  judgement: PolicyJudgement,
  content: { currency: string; amountMinor: bigint },
): PolicyVerdict {
  const isSigned = policy !== null && judgement.needed > 0;
  return {
    version: policy?.version ?? null,
    judgement,
    stepUp: isSigned ? judgeStepUp(policy.stepUp, content) : 'none',
  };
}
