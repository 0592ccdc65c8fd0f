import 'server-only';
import type { Person } from '#lib/access/actor.ts';
import { addLimit, isLimited, leftOfDay } from '#lib/policy/limits.ts';
import { ownLimits } from '#lib/policy/own-limits.ts';
import type { PolicyJudgement } from '#lib/policy/rules.ts';
import { env } from '#lib/runtime/env.ts';
import { inTransaction } from '#lib/runtime/db.ts';
import type { Tx } from '#lib/runtime/db.ts';
import { toDecimal } from '#lib/values/money.ts';
import { kindOf, kindsWhere } from './kinds.ts';
import type { Judged } from './policy-facts.ts';

const LIMITED_KINDS = kindsWhere(({ policyClass }) => isLimited(policyClass));

/**
 * Adds what the maker's own limit asks for. The caller holds `lockSubmissions`: no other submit of
 * the merchant can add to the day's sum before the commit, so two tabs cannot share what is left.
 * `besideMinor`: what the maker prepares together with it, the other rows of a batch.
 */
export async function judgeOwnLimit(
  tx: Tx,
  { id, kind, makerId, content, at }: Judged,
  judgement: PolicyJudgement,
  besideMinor = 0n,
): Promise<PolicyJudgement> {
  if (!isLimited(kindOf(kind).policyClass)) return judgement;
  const limits = await ownLimits(tx, makerId);
  const limit = limits.find((one) => one.currency === content.currency) ?? null;
  if (limit === null) return judgement;
  const { amountMinor, currency } = content;
  const dayMinor = await usedOnDay(tx, { personId: makerId, currency, id, at });
  return addLimit(judgement, limit, { amountMinor, dayMinor: dayMinor + besideMinor });
}

/** A person's own limit as a form shows it. Amounts are decimal text; null where there is none. */
export type OwnLimitLeft = {
  currency: string;
  single: string | null;
  day: string | null;
  left: string | null;
};

/** What each of the person's limits leaves for today. */
export async function ownLimitsLeft(actor: Person): Promise<OwnLimitLeft[]> {
  return inTransaction(actor.merchantId, async (tx) => {
    const left: OwnLimitLeft[] = [];
    for (const limit of await ownLimits(tx, actor.personId)) {
      const { currency, singleMinor, dayMinor } = limit;
      const used = await usedOnDay(tx, { personId: actor.personId, currency, id: null });
      left.push({
        currency,
        single: decimal(singleMinor),
        day: decimal(dayMinor),
        left: decimal(leftOfDay(limit, used)),
      });
    }
    return left;
  });
}

/**
 * What a person prepared on a day of the workspace's zone and was not refused or taken back: on the
 * day of the movement `id` and before it. Where it is not stored yet, all of the day of `at`, or of
 * today: a clock that was set back must not hide what is stored.
 */
async function usedOnDay(
  tx: Tx,
  {
    personId,
    currency,
    id,
    at,
  }: { personId: string; currency: string; id: string | null; at?: Date | undefined },
): Promise<bigint> {
  const { timeZone } = env();
  // By themselves, so that the planner of the sum knows the day, and looks it up in an index.
  const [{ day, until }] = await tx.$queryRaw<[{ day: string; until: string | null }]>`
    SELECT m.created_at::text AS until, date_trunc('day',
      coalesce(m.created_at, ${at ?? null}::timestamptz, clock_timestamp()), ${timeZone})::text AS day
    FROM (SELECT) AS one LEFT JOIN movements m ON m.id = ${id}::uuid`;
  const [row] = await tx.$queryRaw<[{ used: string }]>`
    SELECT coalesce(sum(m.amount_minor), 0)::text AS used FROM movements m
    WHERE m.maker_id = ${personId}::uuid AND m.currency = ${currency}
      AND m.kind = ANY(${LIMITED_KINDS}::text[]) AND m.id IS DISTINCT FROM ${id}::uuid
      AND m.created_at >= ${day}::timestamptz
      AND m.created_at <= coalesce(${until}::timestamptz, 'infinity')
      AND m.state NOT IN ('REJECTED', 'FAILED', 'CANCELLED', 'EXPIRED')`;
  return BigInt(row.used);
}

function decimal(minor: bigint | null): string | null {
  return minor === null ? null : toDecimal(minor);
}
