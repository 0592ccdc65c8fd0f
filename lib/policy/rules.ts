import type { Role } from '#lib/access/actor.ts';
import type { Senior } from '#lib/second-person/standing.ts';
import type { LimitReason } from './limits.ts';

/**
 * The approval policy: rules and facts → how many people have to approve a movement, who they may
 * be, and why. Pure: the form's summary, the submitting verb, the last approval and the look at the
 * last 30 days use this one function, so they agree.
 */

/**
 * What a rule can be about. A movement kind names its class in `lib/movements/kinds.ts`; a kind
 * without a class never needs an approval.
 */
export const POLICY_CLASSES = ['payout', 'transfer', 'own_transfer', 'refund'] as const;
export type PolicyClass = (typeof POLICY_CLASSES)[number];

/** A rule is about amounts of one currency. */
export const POLICY_CURRENCIES = ['TRY', 'USD', 'EUR', 'GBP', 'CHF'] as const;

/**
 * What makes a rule apply, from an amount on. `amount`: the movement alone. `first_payment`: the
 * payee has never received a completed payment. `payee_changed`: it has not, and the same name has,
 * on another account. `maker_day`: what the maker has prepared in 24 hours, this movement included.
 * `split`: the movement alone is below the amount, and what the payee gets in 24 hours is not.
 */
export const CONDITIONS = [
  'amount',
  'first_payment',
  'payee_changed',
  'maker_day',
  'split',
] as const;
export type Condition = (typeof CONDITIONS)[number];

/** `wallets` empty: every wallet. `who`: the least role of each person who approves. */
export type PolicyRule = {
  classes: readonly PolicyClass[];
  wallets: readonly string[];
  when: Condition;
  currency: string;
  fromMinor: bigint;
  approvals: 1 | 2;
  who: Senior;
};

/** What was prepared in the last 24 hours, without the movement itself; one entry a class and wallet. */
export type PreparedSum = {
  policyClass: PolicyClass;
  wallet: string;
  byMakerMinor: bigint;
  toPayeeMinor: bigint;
};

/** `policyClass` null: the kind never needs an approval. Sums are in the movement's currency. */
export type PolicyFacts = {
  policyClass: PolicyClass | null;
  wallet: string;
  currency: string;
  amountMinor: bigint;
  isFirstPayment: boolean;
  isPayeeChanged: boolean;
  prepared: readonly PreparedSum[];
};

/** The rule that applied, or the maker's own limit; one reason for each. */
export type PolicyReason = Pick<PolicyRule, 'currency' | 'fromMinor' | 'approvals' | 'who'> & {
  when: Condition | LimitReason;
};

export type PolicyJudgement = { needed: 0 | 1 | 2; roles: Role[]; reasons: PolicyReason[] };

/** Nothing needs an approval: the judgement without a policy. */
export const NOTHING_NEEDED: PolicyJudgement = { needed: 0, roles: [], reasons: [] };

/** The strictest of the rules that apply decides: the most people, and the highest role. */
export function judgePolicy(rules: readonly PolicyRule[], facts: PolicyFacts): PolicyJudgement {
  const applied = rules.filter((rule) => applies(rule, facts));
  if (applied.length === 0) return NOTHING_NEEDED;
  return {
    needed: applied.some((rule) => rule.approvals === 2) ? 2 : 1,
    roles: rolesOf(applied.some((rule) => rule.who === 'owner') ? 'owner' : 'approver'),
    reasons: applied.map(({ when, currency, fromMinor, approvals, who }) => ({
      when,
      currency,
      fromMinor,
      approvals,
      who,
    })),
  };
}

/** The roles that may give an approval where `who` is the least one. */
export function rolesOf(who: Senior): Role[] {
  return who === 'owner' ? ['owner'] : ['approver', 'owner'];
}

function applies(rule: PolicyRule, facts: PolicyFacts): boolean {
  const { policyClass, wallet, currency, amountMinor } = facts;
  if (policyClass === null || rule.currency !== currency) return false;
  if (!rule.classes.includes(policyClass) || !coversWallet(rule, wallet)) return false;
  switch (rule.when) {
    case 'amount':
      return amountMinor >= rule.fromMinor;
    case 'first_payment':
      return facts.isFirstPayment && amountMinor >= rule.fromMinor;
    case 'payee_changed':
      return facts.isPayeeChanged && amountMinor >= rule.fromMinor;
    case 'maker_day':
      return amountMinor + sum(rule, facts, 'byMakerMinor') >= rule.fromMinor;
    case 'split':
      return (
        amountMinor < rule.fromMinor &&
        amountMinor + sum(rule, facts, 'toPayeeMinor') >= rule.fromMinor
      );
  }
}

function sum(
  rule: PolicyRule,
  { prepared }: PolicyFacts,
  of: 'byMakerMinor' | 'toPayeeMinor',
): bigint {
  return prepared
    .filter((one) => rule.classes.includes(one.policyClass) && coversWallet(rule, one.wallet))
    .reduce((total, one) => total + one[of], 0n);
}

function coversWallet({ wallets }: PolicyRule, wallet: string): boolean {
  return wallets.length === 0 || wallets.includes(wallet);
}
