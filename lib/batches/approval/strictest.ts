import type { PolicyJudgement, PolicyReason } from '#lib/policy/rules.ts';
import { NOTHING_NEEDED, rolesOf } from '#lib/policy/rules.ts';

/** One judgement that asks for whatever any of them asks for; each reason once. Pure. */
export function strictestOf(judgements: readonly PolicyJudgement[]): PolicyJudgement {
  const asking = judgements.filter(({ needed }) => needed > 0);
  if (asking.length === 0) return NOTHING_NEEDED;
  const reasons = new Map<string, PolicyReason>();
  for (const { reasons: some } of asking)
    for (const reason of some) {
      const { when, currency, fromMinor, approvals, who } = reason;
      reasons.set([when, currency, fromMinor, approvals, who].join(' '), reason);
    }
  return {
    needed: asking.some(({ needed }) => needed === 2) ? 2 : 1,
    roles: rolesOf(asking.some(({ roles }) => !roles.includes('approver')) ? 'owner' : 'approver'),
    reasons: [...reasons.values()],
  };
}
