import 'server-only';
import { assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { countAttempt } from '#lib/access/rate-limit.ts';
import { Refusal } from '#lib/access/refusal.ts';
import { audit } from '#lib/audit/append.ts';
import type { AuditPersonal } from '#lib/audit/append.ts';
import { publish, wakeWorkers } from '#lib/live/publish.ts';
import { approvalsCover } from '#lib/movements/approvals-cover.ts';
import type { Approval, Requirement } from '#lib/movements/approvals-cover.ts';
import { record } from '#lib/movements/evidence.ts';
import { judgeByPolicy } from '#lib/movements/policy-facts.ts';
import { addedRequirement } from '#lib/movements/requirement.ts';
import { MOVEMENT } from '#lib/movements/row.ts';
import type { MovementRow, RawMovement } from '#lib/movements/row.ts';
import { lockSubmissions, storeRequirement } from '#lib/movements/submit.ts';
import { databaseNow, inOne, inTransaction, sql } from '#lib/runtime/db.ts';
import type { Row, Tx } from '#lib/runtime/db.ts';
import { storable } from '#lib/runtime/stored-text.ts';
import { stepUpItem } from '#lib/step-up/challenge.ts';
import { UUID } from '#lib/values/uuid.ts';
import { approverRefusal, signatureRefusal } from './approval-rules.ts';
import { lockWaiting } from './lock-waiting.ts';
import type { Waiting } from './lock-waiting.ts';
import { readReason } from './reason.ts';
import { readStepUp } from './read-step-up.ts';
import type { ReadStepUp } from './read-step-up.ts';
import { rejudge } from './rejudge.ts';

/** `seenHash`: the hash of the content that the person saw. `approved`: the last one that counts. */
type Seen = { id: string; seenHash: string };
/** `stepUpId`: the answer with which the person has signed it, where a policy asks for one. */
type Giving = { overrideReason: string | null; stepUpId: string | null };
export type Given = 'approved' | 'given';

/**
 * Approves what another person has prepared. The last approval that is needed judges everything once
 * more in its transaction, by the facts and the policy of now, and makes the movement ready to be
 * sent. A policy that has become stricter meanwhile counts; one that has become looser does not.
 * `overrideReason`: an owner releases it without the other approvals, which is shown for ever. A
 * deputy approves as an approver; the approval is then that of the person represented, too. Where all
 * approvals are there again because a person was enabled, the press of anybody who may approve what
 * others made completes it, also of one who has approved it, and stores no further approval.
 *
 * @throws Refusal not_allowed, too_many, not_found, not_waiting, content_changed, own_movement,
 * represented_movement, approved_before, pair_approved_before, approver_role, approval_blocked,
 * stop_reason_needed, step_up_needed
 */
export async function approveMovement(
  actor: Person,
  { id, seenHash }: Seen,
  { overrideReason, stepUpId }: Giving = { overrideReason: null, stepUpId: null },
): Promise<Given> {
  assertMay(actor, 'movement.approve');
  if (overrideReason !== null) assertMay(actor, 'movement.override');
  const why = overrideReason === null ? null : readReason(overrideReason);
  await countAttempt(actor, 'movement.approve');
  if (!UUID.test(id)) throw new Refusal('not_found');
  const [raw] = await inOne<RawMovement>(
    actor.merchantId,
    sql`SELECT ${MOVEMENT} FROM movements WHERE id = ${id}::uuid`,
  );
  if (!raw) throw new Refusal('not_found');
  if (raw.state !== 'AWAITING_APPROVAL') throw new Refusal('not_waiting');
  const judgeAgain = await rejudge(raw);
  return inTransaction(actor.merchantId, async (tx) => {
    await lockSubmissions(tx, actor.merchantId);
    const waiting = await lockWaiting(tx, actor, { id, seenHash });
    const { movement, approvals, requirements } = waiting;
    const asked = [...requirements, ...(await stricterNow(tx, actor, movement, requirements))];
    const before = { movement, approvals, requirements: asked };
    const own = approvalsCover(before)
      ? null
      : await give(tx, actor, waiting, { asked, why, stepUpId });
    if (own !== null && !approvalsCover({ ...before, approvals: [...approvals, own.given] })) {
      await publish(tx, actor, { kind: 'movement', id });
      await say(tx, actor, movement, own);
      return 'given';
    }
    const objection = await judgeAgain(tx);
    if (objection !== null) throw new Refusal('approval_blocked', { finding: objection });
    await wakeWorkers(tx);
    if (own !== null) await say(tx, actor, movement, own);
    const now = (await databaseNow(tx)).getTime();
    await record(tx, actor, movement, { source: 'person', kind: 'approved' }, now, () => ({
      nextAt: now,
      lease: null,
    }));
    return 'approved';
  });
}

/** What the policy of now asks beyond what was asked before; it is stored with the movement. */
async function stricterNow(
  tx: Tx,
  { merchantId }: Person,
  movement: MovementRow,
  asked: readonly Requirement[],
): Promise<Requirement[]> {
  const { id, kind, makerId } = movement;
  const verdict = await judgeByPolicy(tx, { id, kind, makerId, content: movement });
  const added = addedRequirement(verdict, movement, asked);
  if (added === null) return [];
  await storeRequirement(tx, merchantId, movement, verdict);
  return [added];
}

/** Why an owner released it alone, and with what the person has signed it. */
type Signed = { why: string | null; signed: ReadStepUp | null };
type Own = Signed & { given: Approval };

/** One more approval, if this person may give it and has signed it as it is `asked`. */
async function give(
  tx: Tx,
  actor: Person,
  { movement, accounts, represents, approvals }: Waiting,
  {
    asked,
    why,
    stepUpId,
  }: { asked: readonly Requirement[]; why: string | null; stepUpId: string | null },
): Promise<Own> {
  const self = { accounts, represents, role: actor.role };
  const barred = approverRefusal(self, approvals, { asked, releases: why !== null });
  if (barred !== null) throw new Refusal(barred);
  const overrides = why !== null;
  const signed = await readStepUp(tx, actor, stepUpItem(movement), { stepUpId, overrides });
  const unsigned = signatureRefusal(signed?.method ?? 'none', asked);
  if (unsigned !== null) throw new Refusal(unsigned);
  return { why, signed, given: await store(tx, actor, movement, { why, signed }) };
}

/**
 * The database writes the role that it knows and whom a deputy represents, and refuses a maker and
 * another content.
 */
async function store(
  tx: Tx,
  { merchantId, personId, role }: Person,
  { id, contentHash }: MovementRow,
  { why, signed }: Signed,
): Promise<Approval> {
  const [row] = await tx.$queryRaw<[Row<'approvals', 'role' | 'deputy_of'>]>`
    INSERT INTO approvals (merchant_id, movement_id, person_id, content_hash, role,
      override_reason, step_up_id)
    VALUES (${merchantId}::uuid, ${id}::uuid, ${personId}::uuid, ${contentHash}, ${role},
      ${storable(why)}, ${signed?.id ?? null}::uuid)
    RETURNING role, deputy_of`;
  const [asOwner, releases] = [row.role === 'owner', why !== null];
  const method = signed?.method ?? 'none';
  const given = { personId, deputyOf: row.deputy_of, lapsed: false, contentHash };
  return { ...given, asOwner, releases, signed: method };
}

async function say(
  tx: Tx,
  actor: Person,
  { id, extId, contentHash }: MovementRow,
  { why, signed, given: { deputyOf } }: Own,
): Promise<void> {
  const action = why === null ? 'movement.approval_given' : 'movement.overridden';
  const personal: AuditPersonal = why === null ? {} : { reason: why };
  const detail = {
    extId,
    contentHash,
    ...(deputyOf !== null && { deputyOf }),
    ...signed?.detail,
  };
  await audit(tx, actor, action, `movement:${id}`, detail, personal);
}
