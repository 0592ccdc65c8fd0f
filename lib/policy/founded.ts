import { LIMIT_REASONS } from './limits.ts';
import { judgePolicy } from './rules.ts';
import type { PolicyFacts, PolicyReason, PolicyRule } from './rules.ts';
import { readReasons, readRules } from './stored-rules.ts';
import { judgeStepUp, readStepUpRule } from './step-up-rule.ts';
import type { StepUpRule } from './step-up-rule.ts';

/**
 * A stored requirement with its reasons and the policy that it names, as JSON of the database.
 * `policy` null: there is no such version. `version` 0: only the maker's own limit asked.
 */
export type StoredJudgement = {
  needed: number;
  ownersOnly: boolean;
  stepUp: string;
  reasons: unknown;
  version: number;
  policy: { rules: unknown; stepUp: unknown } | null;
};

/**
 * Whether a requirement asks for all that follows from its reasons, and these from the policy that it
 * names: one that somebody has lowered in the database does not. Rules about the amount alone are
 * judged again; the facts behind other reasons were those of its moment. A row of a batch may be
 * asked for more, which follows from the sum of the batch. Pure.
 */
export function isFounded(
  { needed, ownersOnly, stepUp, reasons, version, policy }: StoredJudgement,
  content: Pick<PolicyFacts, 'policyClass' | 'wallet' | 'currency' | 'amountMinor'>,
): boolean {
  if (version !== 0 && policy === null) return false;
  const read = readAll(reasons, policy);
  if (read === null) return false;
  const byLimit = read.reasons.filter(({ when }) => isLimitReason(when));
  const byPolicy = read.reasons.filter(({ when }) => !isLimitReason(when));
  if (!byPolicy.every((reason) => read.rules.some((rule) => isOfRule(reason, rule)))) return false;
  if (!byAmount(read.rules, content).every((one) => byPolicy.some((other) => isOfRule(one, other))))
    return false;
  const asked = Math.max(0, ...byPolicy.map(({ approvals }) => approvals));
  const total = byLimit.length === 0 ? asked : Math.min(asked + 1, 2);
  const signed = total > 0 ? judgeStepUp(read.stepUp, content) : 'none';
  return (
    needed >= total &&
    (ownersOnly || byPolicy.every(({ who }) => who !== 'owner')) &&
    (signed === 'none' || stepUp === signed || stepUp === 'passkey')
  );
}

/** Null for what no version of this program has stored. */
function readAll(
  reasons: unknown,
  policy: StoredJudgement['policy'],
): { reasons: PolicyReason[]; rules: PolicyRule[]; stepUp: StepUpRule | null } | null {
  try {
    return {
      reasons: readReasons(reasons),
      rules: readRules(policy?.rules ?? []),
      stepUp: readStepUpRule(policy?.stepUp ?? null),
    };
  } catch {
    return null;
  }
}

/** The reasons that follow from the content alone. */
function byAmount(
  rules: readonly PolicyRule[],
  content: Parameters<typeof isFounded>[1],
): PolicyReason[] {
  const facts = { ...content, isFirstPayment: false, isPayeeChanged: false, prepared: [] };
  return judgePolicy(
    rules.filter(({ when }) => when === 'amount'),
    facts,
  ).reasons;
}

function isLimitReason(when: PolicyReason['when']): boolean {
  return (LIMIT_REASONS as readonly string[]).includes(when);
}

function isOfRule(reason: PolicyReason, rule: PolicyReason): boolean {
  return (
    reason.when === rule.when &&
    reason.currency === rule.currency &&
    reason.fromMinor === rule.fromMinor &&
    reason.approvals === rule.approvals &&
    reason.who === rule.who
  );
}
