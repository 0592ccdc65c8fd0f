import 'server-only';
import { assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { countAttempt } from '#lib/access/rate-limit.ts';
import { Refusal } from '#lib/access/refusal.ts';
import { audit } from '#lib/audit/append.ts';
import { approverRefusal, signatureRefusal } from '#lib/approvals/approval-rules.ts';
import type { Given } from '#lib/approvals/approve.ts';
import { readReason } from '#lib/approvals/reason.ts';
import { readStepUp } from '#lib/approvals/read-step-up.ts';
import type { ReadStepUp } from '#lib/approvals/read-step-up.ts';
import { publish } from '#lib/live/publish.ts';
import type { Approval, Requirement } from '#lib/movements/approvals-cover.ts';
import { addedRequirement } from '#lib/movements/requirement.ts';
import { lockSubmissions } from '#lib/movements/submit.ts';
import { storedText } from '#lib/policy/stored-rules.ts';
import type { PolicyVerdict } from '#lib/policy/verdict.ts';
import { inTransaction } from '#lib/runtime/db.ts';
import type { Row, Tx } from '#lib/runtime/db.ts';
import { storable } from '#lib/runtime/stored-text.ts';
import { judgeBatch } from './judge.ts';
import { isBatchApproved } from './press-rules.ts';
import { lockWaitingBatch } from './waiting.ts';
import type { WaitingBatch } from './waiting.ts';

type Giving = { overrideReason: string | null; stepUpId: string | null };

/**
 * Approves all rows of a batch as they were submitted. The last approval that is needed lets it run;
 * each row is judged once more when it becomes a movement, and takes the approvals along. A policy
 * that has become stricter meanwhile counts. `overrideReason`: an owner releases it without the
 * other approvals.
 *
 * @throws Refusal not_allowed, too_many, not_found, not_waiting, content_changed, own_movement,
 * represented_movement, approved_before, pair_approved_before, approver_role, stop_reason_needed,
 * step_up_needed, step_up_expired, step_up_refused
 */
export async function approveBatch(
  actor: Person,
  seen: { id: string; seenHash: string },
  { overrideReason, stepUpId }: Giving = { overrideReason: null, stepUpId: null },
): Promise<Given> {
  assertMay(actor, 'movement.approve');
  if (overrideReason !== null) assertMay(actor, 'movement.override');
  const why = overrideReason === null ? null : readReason(overrideReason);
  await countAttempt(actor, 'movement.approve');
  return inTransaction(actor.merchantId, async (tx) => {
    await lockSubmissions(tx, actor.merchantId);
    const batch = await lockWaitingBatch(tx, actor, seen);
    const asked = [...batch.requirements, ...(await stricterNow(tx, batch))];
    const own = isBatchApproved(batch, batch.approvals, asked)
      ? null
      : await give(tx, actor, batch, { asked, why, stepUpId });
    const approvals = own === null ? batch.approvals : [...batch.approvals, own.given];
    const isApproved = isBatchApproved(batch, approvals, asked);
    if (isApproved)
      await tx.$executeRaw`
        UPDATE batch_runs SET approved_at = clock_timestamp(), feed_at = clock_timestamp()
        WHERE batch_id = ${batch.id}::uuid`;
    await publish(tx, actor, { kind: 'batch', id: batch.id });
    if (own !== null) await say(tx, actor, batch, own);
    if (isApproved)
      await audit(tx, actor, 'batch.approved', `batch:${batch.id}`, {
        contentHash: batch.contentHash,
      });
    return isApproved ? 'approved' : 'given';
  });
}

/** What the policy of now asks of the batch; null where the merchant has none. */
export async function judgeNow(tx: Tx, batch: WaitingBatch): Promise<PolicyVerdict> {
  const { id, makerId, wallet, currency, rows } = batch;
  return judgeBatch(tx, { id, makerId, wallet, currency, rows });
}

/** What the policy of now asks beyond what was asked before; it is stored with the run. */
async function stricterNow(tx: Tx, batch: WaitingBatch): Promise<Requirement[]> {
  const verdict = await judgeNow(tx, batch);
  const added = addedRequirement(verdict, batch, batch.requirements);
  if (added === null) return [];
  const { needed, ownersOnly, stepUp } = added;
  await tx.$executeRaw`
    UPDATE batch_runs SET approvals_needed = greatest(approvals_needed, ${needed}::int),
      owners_only = owners_only OR ${ownersOnly},
      step_up = (ARRAY['none', 'any', 'passkey'])[greatest(
        array_position(ARRAY['none', 'any', 'passkey'], step_up),
        array_position(ARRAY['none', 'any', 'passkey'], ${stepUp}::text))],
      policy_version = ${verdict.version}, reasons = ${storedText(verdict.judgement.reasons)}::jsonb
    WHERE batch_id = ${batch.id}::uuid`;
  return [added];
}

type Own = { why: string | null; signed: ReadStepUp | null; given: Approval };

/** One more approval, if this person may give it and has signed it as it is `asked`. */
async function give(
  tx: Tx,
  actor: Person,
  { id, contentHash, accounts, represents, approvals }: WaitingBatch,
  {
    asked,
    why,
    stepUpId,
  }: { asked: readonly Requirement[]; why: string | null; stepUpId: string | null },
): Promise<Own> {
  const overrides = why !== null;
  const self = { accounts, represents, role: actor.role };
  const barred = approverRefusal(self, approvals, { asked, releases: overrides });
  if (barred !== null) throw new Refusal(barred);
  const signed = await readStepUp(tx, actor, contentHash, { stepUpId, overrides });
  const unsigned = signatureRefusal(signed?.method ?? 'none', asked);
  if (unsigned !== null) throw new Refusal(unsigned);
  const { merchantId, personId, role, sessionId, ip } = actor;
  const [row] = await tx.$queryRaw<[Row<'batch_approvals', 'role' | 'deputy_of'>]>`
    INSERT INTO batch_approvals (merchant_id, batch_id, person_id, content_hash, role,
      override_reason, step_up_id, session)
    VALUES (${merchantId}::uuid, ${id}::uuid, ${personId}::uuid, ${contentHash}, ${role},
      ${storable(why)}, ${signed?.id ?? null}::uuid, ${JSON.stringify({ sessionId, ip })}::jsonb)
    RETURNING role, deputy_of`;
  const given = { personId, deputyOf: row.deputy_of, lapsed: false, contentHash };
  const [asOwner, method] = [row.role === 'owner', signed?.method ?? 'none'];
  return { why, signed, given: { ...given, asOwner, releases: overrides, signed: method } };
}

async function say(
  tx: Tx,
  actor: Person,
  { id, contentHash }: WaitingBatch,
  { why, signed, given: { deputyOf } }: Own,
): Promise<void> {
  const action = why === null ? 'batch.approval_given' : 'batch.overridden';
  const detail = { contentHash, ...(deputyOf !== null && { deputyOf }), ...signed?.detail };
  await audit(tx, actor, action, `batch:${id}`, detail, why === null ? {} : { reason: why });
}
