import 'server-only';
import { assertMay, may } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { APPROVALS_OF_M } from '#lib/movements/approvals-of.ts';
import { checkedApprovals } from '#lib/movements/approvals-of.ts';
import type { StoredApproval } from '#lib/movements/approvals-of.ts';
import type { Requirement } from '#lib/movements/approvals-cover.ts';
import {
  approvalsCover,
  approvalsNeeded,
  approvedFor,
  countsFor,
} from '#lib/movements/approvals-cover.ts';
import { fromRaw, MOVEMENT } from '#lib/movements/row.ts';
import type { MovementRow, RawMovement } from '#lib/movements/row.ts';
import { APPROVAL_LIFE_MS } from '#lib/movements/schedule.ts';
import { readReasons } from '#lib/policy/stored-rules.ts';
import type { PolicyReason } from '#lib/policy/rules.ts';
import { judgeStepUp } from '#lib/policy/step-up-rule.ts';
import type { StepUpRule } from '#lib/policy/step-up-rule.ts';
import { currentPolicy } from '#lib/policy/versions.ts';
import { inOne, inTransaction, sql } from '#lib/runtime/db.ts';
import type { Tx } from '#lib/runtime/db.ts';
import { strictestStepUp } from '#lib/step-up/method.ts';
import type { StepUpAsked } from '#lib/step-up/method.ts';
import { maskIban } from '#lib/values/iban.ts';
import { maskWallet } from '#lib/values/mask-wallet.ts';
import { toDecimal } from '#lib/values/money.ts';
import { readApprovers } from './approvers.ts';
import { approvesFor, eligible, lacksPeople } from './eligible.ts';
import type { Approver } from './eligible.ts';
import type { Flag } from './flags.ts';
import { readFlags } from './read-flags.ts';
import { waitsFor } from './waits-for.ts';

const SHOWN_MAX = 200;

/** One movement that waits for approval. JSON-safe: amounts are decimal text, times ISO. */
export type WaitingMovement = {
  id: string;
  kind: string;
  contentHash: string;
  since: string;
  expiresAt: string;
  maker: string;
  name: string;
  payee: string;
  amount: string;
  currency: string;
  wallet: string;
  description: string;
  overrideReason: string | null;
  cardPaymentId: string | null;
  reasons: ShownReason[];
  flags: Flag[];
  needed: number;
  given: number;
  /** All approvals are there, again since a person was enabled: one more press completes it. */
  isComplete: boolean;
  /** How an approval is signed, as the policies so far and the one of now ask. */
  stepUp: StepUpAsked;
  /** The names of those who may still approve. */
  mayApprove: string[];
  /** Fewer people may approve than are missing. */
  lacksPeople: boolean;
  /** Why this viewer may not approve it; null when they may. */
  barred: Barred | null;
};

/** A reason with its amount as decimal text. */
export type ShownReason = Omit<PolicyReason, 'fromMinor'> & { from: string };

/**
 * `represented`: the person whom the viewer represents has prepared it. `pair`: that person, or the
 * viewer's own deputy, has approved it, and the two count once.
 */
export type Barred = 'own' | 'given' | 'role' | 'represented' | 'pair';

type Found = RawMovement & {
  maker: string;
  makers: string[];
  approvals: StoredApproval[];
  requirements: (Requirement & { reasons: unknown })[];
};

/** What waits for approval, as `listWaiting` shows it. */
export async function waitingMovements(
  actor: Person,
  only: { ids: readonly string[] } | null = null,
): Promise<WaitingMovement[]> {
  return (await listWaiting(actor, only)).rows;
}

/**
 * What waits for approval: what is unusual first, then what waits longest. `isCut`: more wait than
 * the 200 that are shown; what waits for this person is then shown before what waits for others.
 */
export async function listWaiting(
  actor: Person,
  only: { ids: readonly string[] } | null = null,
): Promise<{ rows: WaitingMovement[]; isCut: boolean }> {
  assertMay(actor, 'movement.read');
  const these = only === null ? sql`TRUE` : sql`m.id = ANY(${only.ids}::uuid[])`;
  return inTransaction(actor.merchantId, async (tx) => {
    const flags = await readFlags(tx, these);
    const isCut = flags.size > SHOWN_MAX;
    const own = isCut ? await idsFor(tx, actor) : new Set<string>();
    const first = [...flags]
      .toSorted(([, a], [, b]) => b.length - a.length)
      .toSorted(([a], [b]) => Number(own.has(b)) - Number(own.has(a)))
      .slice(0, SHOWN_MAX);
    const rows = await tx.$queryRaw<Found[]>`
      SELECT ${MOVEMENT.of('m')}, p.name AS maker,
        ARRAY(SELECT movement_makers(m.id)::text) AS makers, ${APPROVALS_OF_M} AS approvals,
        ${REQUIREMENTS_WITH_REASONS} AS requirements
      FROM movements m JOIN people p ON p.id = m.maker_id
      WHERE m.state = 'AWAITING_APPROVAL' AND m.id = ANY(${first.map(([id]) => id)}::uuid[])
      ORDER BY m.state_since`;
    const people = await readApprovers(tx);
    const signing = (await currentPolicy(tx))?.stepUp ?? null;
    const waiting = rows.map((row) =>
      waitingOf(actor, row, { people, signing, flags: flags.get(row.id) ?? [] }),
    );
    return { rows: waiting.toSorted((a, b) => b.flags.length - a.flags.length), isCut };
  });
}

/** Those that may wait for this person; never without one that does. */
async function idsFor(tx: Tx, actor: Person): Promise<Set<string>> {
  const rows = await tx.$queryRaw<{ id: string }[]>`
    WITH self AS (SELECT deputy_for(${actor.personId}::uuid, clock_timestamp()) AS represented)
    SELECT m.id FROM movements m CROSS JOIN self
    WHERE m.state = 'AWAITING_APPROVAL' AND (${MAY_BE_ENOUGH_M} OR ${waitsFor({
      id: sql`${actor.personId}::uuid`,
      role: sql`${actor.role}::text`,
      represented: sql`self.represented`,
    })})`;
  return new Set(rows.map(({ id }) => id));
}

/**
 * How many wait for this person: as many as the list, without its limit, says so of. Whoever has
 * approved one completes it where all approvals are there again; those few are looked at one by one.
 */
export async function countWaitingFor(actor: Person): Promise<number> {
  assertMay(actor, 'movement.approve');
  const [row] = await inOne<{ n: number; complete: string[] }>(
    actor.merchantId,
    sql`
    WITH self AS (SELECT deputy_for(${actor.personId}::uuid, clock_timestamp()) AS represented)
    SELECT count(*) FILTER (WHERE NOT c.enough AND ${waitsFor({
      id: sql`${actor.personId}::uuid`,
      role: sql`${actor.role}::text`,
      represented: sql`self.represented`,
    })})::int AS n,
      coalesce(array_agg(m.id::text) FILTER (WHERE c.enough), '{}') AS complete
    FROM movements m CROSS JOIN self CROSS JOIN LATERAL (SELECT ${MAY_BE_ENOUGH_M} AS enough) c
    WHERE m.state = 'AWAITING_APPROVAL'`,
  );
  if (!row || row.complete.length === 0) return row?.n ?? 0;
  const looked = await waitingMovements(actor, { ids: row.complete });
  return row.n + looked.filter(({ barred }) => barred === null).length;
}

/** Whether a movement `m` has so many approvals that all may be there; never false where they are. */
const MAY_BE_ENOUGH_M = sql`(
  EXISTS (SELECT FROM approvals a WHERE a.movement_id = m.id AND a.override_reason IS NOT NULL)
  OR (SELECT count(DISTINCT coalesce(a.deputy_of, a.person_id)) FROM approvals a
    WHERE a.movement_id = m.id) >= greatest(1, m.approvals_needed, (SELECT max(r.needed)
    FROM approval_requirements r WHERE r.movement_id = m.id)))`;

const REQUIREMENTS_WITH_REASONS = sql`(SELECT coalesce(jsonb_agg(jsonb_build_object(
  'needed', r.needed, 'ownersOnly', r.owners_only, 'contentHash', r.content_hash,
  'stepUp', r.step_up, 'reasons', r.reasons) ORDER BY r.id), '[]')
  FROM approval_requirements r WHERE r.movement_id = m.id)`;

function waitingOf(
  actor: Person,
  row: Found,
  {
    people,
    signing,
    flags,
  }: { people: readonly Approver[]; signing: StepUpRule | null; flags: Flag[] },
): WaitingMovement {
  const movement = fromRaw(row);
  const stepUp = strictestStepUp(row.requirements.map((one) => one.stepUp));
  const approvals = checkedApprovals(row.approvals, movement);
  const approved = { movement, approvals, requirements: row.requirements };
  const given = [...approvedFor(approved)];
  const isComplete = approvalsCover(approved);
  const standing = {
    needed: approvalsNeeded(movement, row.requirements),
    ownersOnly: row.requirements.some((one) => one.ownersOnly),
    makers: row.makers,
    given,
    before: row.approvals.flatMap((one) => [one.personId, countsFor(one)]),
  };
  // A press that completes it stores no approval, so it does not matter who has given one.
  const completing = { ...standing, ownersOnly: false, before: [] };
  const reasons = readReasons(row.requirements.at(-1)?.reasons ?? []);
  return {
    ...shown(actor, movement, row),
    reasons: reasons.map(({ fromMinor, ...reason }) => ({ ...reason, from: toDecimal(fromMinor) })),
    flags,
    needed: standing.needed,
    stepUp: isComplete ? 'none' : strictestStepUp([stepUp, judgeStepUp(signing, movement)]),
    given: given.length,
    isComplete,
    mayApprove: eligible(people, isComplete ? completing : standing).map((one) => one.name),
    lacksPeople: lacksPeople(people, standing),
    barred: isComplete
      ? barredOf(actor, people, completing)
      : row.approvals.some((one) => one.personId === actor.personId)
        ? 'given'
        : barredOf(actor, people, standing),
  };
}

/** The payee's number is whole for who may see it whole. */
function shown(actor: Person, movement: MovementRow, { maker, override_reason }: Found) {
  const whole = may(actor.role, 'payee.read');
  const { toWallet, iban } = movement;
  const masked = toWallet === null ? maskIban(iban) : maskWallet(toWallet);
  return {
    id: movement.id,
    kind: movement.kind,
    contentHash: movement.contentHash,
    since: new Date(movement.stateSince).toISOString(),
    expiresAt: new Date(movement.stateSince + APPROVAL_LIFE_MS).toISOString(),
    maker,
    name: movement.name,
    payee: whole ? (toWallet ?? iban) : masked,
    amount: toDecimal(movement.amountMinor),
    currency: movement.currency,
    wallet: movement.wallet,
    description: movement.description,
    overrideReason: override_reason,
    cardPaymentId: movement.card?.paymentId ?? null,
  };
}

/** Why this person may not approve what stands so; null when they may. */
export function barredOf(
  actor: Person,
  people: readonly Approver[],
  standing: Parameters<typeof eligible>[1],
): Barred | null {
  if (standing.makers.includes(actor.personId)) return 'own';
  const self = people.find((one) => one.id === actor.personId);
  if (self === undefined) return 'role';
  if (self.deputyOf !== null && standing.makers.includes(self.deputyOf)) return 'represented';
  if (standing.before.includes(approvesFor(self))) return 'pair';
  return eligible([self], standing).length > 0 ? null : 'role';
}
