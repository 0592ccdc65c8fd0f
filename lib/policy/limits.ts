import type { PolicyClass, PolicyJudgement, PolicyReason } from './rules.ts';
import { rolesOf } from './rules.ts';

/**
 * A person's own limits: how much may leave on this person's word alone. What is above them needs
 * one approval more than the policy asks for (docs/decisions/0038-add-one-approver-above-a-limit.md).
 * Pure; amounts in minor units of the currency, null where there is no limit.
 */
export type OwnLimit = { currency: string; singleMinor: bigint | null; dayMinor: bigint | null };

export type LimitReason = 'own_single' | 'own_day';
export const LIMIT_REASONS = ['own_single', 'own_day'] as const satisfies LimitReason[];

const APPROVALS_MAX = 2;
/** Money between own wallets leaves nobody's hands. */
const LIMITED: readonly PolicyClass[] = ['payout', 'transfer', 'refund'];

/** Whether amounts of this class are held against a person's limits. */
export function isLimited(policyClass: PolicyClass | null): boolean {
  return policyClass !== null && LIMITED.includes(policyClass);
}

/** `dayMinor`: what the person prepared on the same day before, in the movement's currency. */
export type LimitFacts = { amountMinor: bigint; dayMinor: bigint };

/** The judgement of the policy, with what the maker's own limit adds to it. */
export function addLimit(
  judgement: PolicyJudgement,
  limit: OwnLimit | null,
  facts: LimitFacts,
): PolicyJudgement {
  const broken = limit === null ? [] : brokenLimits(limit, facts);
  if (broken.length === 0) return judgement;
  return {
    needed: judgement.needed + 1 >= APPROVALS_MAX ? 2 : 1,
    roles: judgement.needed === 0 ? rolesOf('approver') : judgement.roles,
    reasons: [...judgement.reasons, ...broken],
  };
}

function brokenLimits(
  { currency, singleMinor, dayMinor }: OwnLimit,
  facts: LimitFacts,
): PolicyReason[] {
  const broken: [LimitReason, bigint][] = [];
  if (singleMinor !== null && facts.amountMinor > singleMinor)
    broken.push(['own_single', singleMinor]);
  if (dayMinor !== null && facts.dayMinor + facts.amountMinor > dayMinor)
    broken.push(['own_day', dayMinor]);
  return broken.map(([when, fromMinor]) => ({
    when,
    currency,
    fromMinor,
    approvals: 1,
    who: 'approver',
  }));
}

/** What of the day's limit is left; null where the day has none. */
export function leftOfDay({ dayMinor }: OwnLimit, usedMinor: bigint): bigint | null {
  if (dayMinor === null) return null;
  return usedMinor >= dayMinor ? 0n : dayMinor - usedMinor;
}

/** Whether `next` lets more leave alone than `present`, in one payment or in a day. */
export function widensLimit(present: OwnLimit | null, next: OwnLimit): boolean {
  if (present === null) return false;
  return (
    isHigher(present.singleMinor, next.singleMinor) || isHigher(present.dayMinor, next.dayMinor)
  );
}

function isHigher(present: bigint | null, next: bigint | null): boolean {
  return present !== null && (next === null || next > present);
}

export function isSameLimit(present: OwnLimit | null, next: OwnLimit): boolean {
  return (
    (present?.singleMinor ?? null) === next.singleMinor &&
    (present?.dayMinor ?? null) === next.dayMinor
  );
}

/** The limit as the claim of a statement, which the database's guard compares. */
export function limitClaim({ currency, singleMinor, dayMinor }: OwnLimit): string {
  return `limit:${currency}:${singleMinor ?? 'none'}:${dayMinor ?? 'none'}`;
}

/** Null for a text that is no claim about a limit. */
export function readLimitClaim(claim: string): OwnLimit | null {
  const read = /^limit:([A-Z]{3}):(none|[0-9]{1,18}):(none|[0-9]{1,18})$/.exec(claim);
  if (read === null) return null;
  const [, currency = '', single = '', day = ''] = read;
  const minor = (text: string): bigint | null => (text === 'none' ? null : BigInt(text));
  return { currency, singleMinor: minor(single), dayMinor: minor(day) };
}
