import 'server-only';
import { assertMay, may } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { inTransaction } from '#lib/runtime/db.ts';
import type { Row, Tx } from '#lib/runtime/db.ts';
import { toDecimal } from '#lib/values/money.ts';
import { openProposal } from './proposals.ts';
import type { PolicyRule } from './rules.ts';
import type { StepUpRule } from './step-up-rule.ts';
import { policyVersions } from './versions.ts';
import type { PolicyVersion } from './versions.ts';

/** A rule as a page shows it: its amount is decimal text. */
export type RuleView = Omit<PolicyRule, 'fromMinor'> & { from: string };

/** From which amounts an approval is signed, as a page shows it. */
export type StepUpView = {
  from: { currency: string; amount: string }[];
  signInAllowed: boolean;
};

/** Who agreed on a version, from when on it holds, and what it has. */
export type VersionView = {
  version: number;
  at: string;
  proposedBy: string;
  confirmedBy: string;
  rules: number;
  /** Whether approvals are signed from some amount on. */
  isSigned: boolean;
};

/** The policy as a person may see it. JSON-safe; times ISO. */
export type PolicyView = {
  /** The version in force. Null while there is none: nothing needs an approval. */
  current: VersionView | null;
  rules: RuleView[];
  stepUp: StepUpView | null;
  proposal: {
    id: string;
    rules: RuleView[];
    stepUp: StepUpView | null;
    reason: string;
    by: string;
    at: string;
    /** The viewer proposed it: another person confirms. */
    isOwn: boolean;
  } | null;
  /** The versions before the one in force, the newest first. */
  earlier: VersionView[];
  can: { propose: boolean; confirm: boolean };
};

export async function viewPolicy(actor: Person): Promise<PolicyView> {
  assertMay(actor, 'policy.read');
  return inTransaction(actor.merchantId, async (tx) => {
    const [current, ...earlier] = await policyVersions(tx);
    const proposal = await openProposal(tx);
    const names = await peopleNames(tx);
    const named = (id: string): string => names.get(id) ?? '';
    const versionView = (one: PolicyVersion): VersionView => ({
      version: one.version,
      at: one.validFrom.toISOString(),
      proposedBy: named(one.proposedBy),
      confirmedBy: named(one.confirmedBy),
      rules: one.rules.length,
      isSigned: (one.stepUp?.from.length ?? 0) > 0,
    });
    return {
      current: current === undefined ? null : versionView(current),
      rules: (current?.rules ?? []).map(ruleView),
      stepUp: stepUpView(current?.stepUp ?? null),
      proposal: proposal && {
        id: proposal.id,
        rules: proposal.rules.map(ruleView),
        stepUp: stepUpView(proposal.stepUp),
        reason: proposal.reason,
        by: named(proposal.proposedBy),
        at: proposal.proposedAt.toISOString(),
        isOwn: proposal.proposedBy === actor.personId,
      },
      earlier: earlier.map(versionView),
      can: {
        propose: may(actor.role, 'policy.propose'),
        confirm: may(actor.role, 'policy.confirm'),
      },
    };
  });
}

async function peopleNames(tx: Tx): Promise<Map<string, string>> {
  const rows = await tx.$queryRaw<Row<'people', 'id' | 'name'>[]>`SELECT id, name FROM people`;
  return new Map(rows.map(({ id, name }) => [id, name]));
}

function ruleView({ fromMinor, ...rule }: PolicyRule): RuleView {
  return { ...rule, from: toDecimal(fromMinor) };
}

function stepUpView(rule: StepUpRule | null): StepUpView | null {
  if (rule === null) return null;
  const from = rule.from.map(({ currency, fromMinor }) => ({
    currency,
    amount: toDecimal(fromMinor),
  }));
  return { from, signInAllowed: rule.signInAllowed };
}
