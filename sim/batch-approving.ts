import { may } from '#lib/access/actor.ts';
import { approverRefusal, signatureRefusal } from '#lib/approvals/approval-rules.ts';
import { batchRefusal, isBatchApproved } from '#lib/batches/approval/press-rules.ts';
import { approvalsCover } from '#lib/movements/approvals-cover.ts';
import type { Approval, Requirement } from '#lib/movements/approvals-cover.ts';
import { checkedApprovals } from '#lib/movements/checked-approvals.ts';
import { addedRequirement, requirementOf } from '#lib/movements/requirement.ts';
import { APPROVAL_LIFE_MS } from '#lib/movements/schedule.ts';
import { strictestStepUp } from '#lib/step-up/method.ts';
import type { StepUpAsked } from '#lib/step-up/method.ts';
import { methodOf, signedText } from '#lib/step-up/proof.ts';
import { actorOf, governed, makersOf, unreadable } from './approving.ts';
import type { Press } from './approving.ts';
import { leafOf } from './batch-content.ts';
import { batchVerdict } from './batch-verdict.ts';
import type { Batch, BatchRow } from './batches.ts';
import { No, says } from './desk.ts';
import type { PersonName } from './governance.ts';
import { rootText } from './store.ts';
import type { Given, Row, SignedAnswer, Tx } from './store.ts';

/**
 * The web's transactions about the approval of a whole file, as lib/batches/approval carries them out
 * in SQL, with its rules.
 */

/**
 * `leaves`: what each row gave when it was submitted, which never changes. `at`: when the last
 * approval came that was needed. `sentBack`: the rows that an approver asked to leave out.
 */
export type BatchApproval = {
  readonly contentHash: string;
  readonly leaves: readonly string[];
  readonly asked: Requirement;
  readonly at: number | null;
  readonly given: readonly Given[];
  readonly sentBack: readonly number[] | null;
};

/** What the policy of this moment asks of a file that is submitted. */
export function newApproval(tx: Tx, batch: Pick<Batch, 'maker' | 'rows'>): BatchApproval {
  const leaves = batch.rows.map(leafOf);
  const contentHash = rootText(leaves);
  const { governance } = tx;
  if (governance !== null) actorOf(governance, batch.maker as PersonName);
  const verdict = governance && batchVerdict(tx, governance, batch);
  const nothing = { needed: 0, ownersOnly: false, contentHash, stepUp: 'none' } as const;
  const asked = (verdict && requirementOf(verdict, contentHash)) ?? nothing;
  const at = asked.needed === 0 ? tx.now : null;
  return { contentHash, leaves, asked, at, given: [], sentBack: null };
}

export function isWaiting({ approval, stopped, beganAt }: Batch, now: number): boolean {
  return approval.at === null && !stopped && beganAt > now - APPROVAL_LIFE_MS;
}

/** Nobody approved it in time. */
export function hasExpired({ approval, beganAt }: Batch, now: number): boolean {
  return approval.at === null && beganAt <= now - APPROVAL_LIFE_MS;
}

export function approveBatch(
  tx: Tx,
  id: string,
  { personId, seenHash, releases, answer }: Press,
  unguarded: boolean,
): void {
  const governance = governed(tx);
  const { role } = actorOf(governance, personId);
  if (!may(role, 'movement.approve')) throw new No('not_allowed');
  if (releases && !may(role, 'movement.override')) throw new No('not_allowed');
  const batch = waitingBatch(tx, id, { personId, seenHash });
  const { approval } = batch;
  const asked = [approval.asked, ...stricterNow(tx, batch)];
  const standing = {
    contentHash: approval.contentHash,
    makerId: batch.maker,
    approvalsNeeded: approval.asked.needed,
  };
  const before = approvalsOf(tx, batch);
  let given = approval.given;
  if (!isBatchApproved(standing, before, asked)) {
    const self = { accounts: [personId], represents: [personId], role };
    const barred = approverRefusal(self, before, { asked, releases });
    // The database refuses a second approval of one person by itself.
    if (barred !== null && (!unguarded || barred !== 'approver_role')) throw new No(barred);
    const signer = { personId, overrides: releases };
    const signed = methodOf(answer, signer, approval.contentHash, (one) => one.holds);
    const unsigned = unreadable(governance, answer, signed) ?? signatureRefusal(signed, asked);
    if (unsigned !== null && !unguarded) throw new No(unsigned);
    const { contentHash } = approval;
    const own = { personId, deputyOf: null, contentHash, releases, stepUp: answer };
    given = [...given, { ...own, asOwner: role === 'owner' }];
    tx.gave([id, ...batch.rows.map((row) => row.id)], personId);
  }
  const after = { ...batch, approval: { ...approval, asked: strictestOf(asked), given } };
  const isApproved = isBatchApproved(standing, approvalsOf(tx, after), asked);
  tx.setBatch({ ...after, approval: { ...after.approval, at: isApproved ? tx.now : null } });
}

/** What the policy of now asks beyond what was asked before. */
function stricterNow(tx: Tx, batch: Batch): Requirement[] {
  const { contentHash, asked } = batch.approval;
  const movement = { contentHash, approvalsNeeded: asked.needed } as Row;
  const added = addedRequirement(batchVerdict(tx, governed(tx), batch), movement, [asked]);
  return added === null ? [] : [added];
}

function strictestOf(all: readonly Requirement[]): Requirement {
  return {
    ...all[0]!,
    needed: Math.max(...all.map(({ needed }) => needed)),
    ownersOnly: all.some(({ ownersOnly }) => ownersOnly),
    stepUp: strictestStepUp(all.map(({ stepUp }) => stepUp)),
  };
}

function approvalsOf(tx: Tx, { approval }: Batch): Approval[] {
  const people: Readonly<Record<string, { disabled: boolean }>> = governed(tx).people;
  const now = approval.given.map((one) => ({ ...one, lapsed: people[one.personId]!.disabled }));
  return checkedApprovals(now, (answer: SignedAnswer | null, signer) =>
    methodOf(answer, signer, approval.contentHash, (one) => one.holds),
  );
}

function waitingBatch(tx: Tx, id: string, press: { personId: string; seenHash: string }): Batch {
  const batch = tx.batch(id);
  if (batch === null) throw new No('not_found');
  const { contentHash } = batch.approval;
  const facts = { waits: isWaiting(batch, tx.now), since: batch.beganAt, contentHash };
  const root = rootText(batch.rows.map(leafOf));
  const refusal = batchRefusal({ ...facts, makers: batchMakers(tx, batch) }, root, press);
  if (refusal !== null) throw new No(refusal);
  return batch;
}

/** Does what lib/batches/approval/ask-step-up.ts does. */
export function batchSignatureAsked(
  tx: Tx,
  id: string,
): { asked: StepUpAsked; policyVersion: number } {
  const governance = governed(tx);
  const batch = tx.batch(id);
  if (batch === null) throw new No('not_found');
  const now = batchVerdict(tx, governance, batch).stepUp;
  return {
    asked: strictestStepUp([now, batch.approval.asked.stepUp]),
    policyVersion: governance.policy?.version ?? 0,
  };
}

/** Does what lib/batches/approval/send-back.ts does. */
export function sendBackBatch(
  tx: Tx,
  id: string,
  press: { personId: PersonName; seenHash: string },
  without: readonly number[],
): void {
  if (!may(actorOf(governed(tx), press.personId).role, 'movement.approve'))
    throw new No('not_allowed');
  const batch = waitingBatch(tx, id, press);
  const approval = { ...batch.approval, sentBack: [...without] };
  tx.setBatch({ ...batch, stopped: true, approval });
}

/**
 * Does what lib/batches/approval/hand-on.ts does: the movement of a row takes the approvals of its
 * file along with what was asked of them, and is ready where they are enough.
 */
export function handOnApprovals(tx: Tx, { approval }: Batch, { id }: BatchRow): void {
  const movement = tx.row(id)!;
  if (movement.state !== 'AWAITING_APPROVAL') return;
  const makers = makersOf(tx, movement);
  const { ownersOnly, stepUp: signed } = approval.asked;
  if (ownersOnly || signed !== 'none')
    tx.require(id, { ...approval.asked, contentHash: movement.contentHash });
  const isOfFile = approval.leaves.includes(signedText(movement));
  for (const one of isOfFile ? approval.given : []) {
    if (makers.includes(one.personId)) continue;
    const stepUp = one.stepUp === null ? null : { ...one.stepUp, tree: approval.leaves };
    tx.handOn(id, { ...one, contentHash: movement.contentHash, stepUp });
  }
  const [approvals, requirements] = [tx.approvals(id), tx.requirements(id)];
  if (approvals.length > 0 && approvalsCover({ movement, approvals, requirements }))
    says(tx, movement, 'handOnApprovals', 'approved', { nextAt: tx.now });
}

/** Does what the database's function batch_makers does. */
export function batchMakers(tx: Pick<Tx, 'batch'>, { maker, parent }: Batch): string[] {
  const makers = new Set([maker]);
  for (let above = parent; above !== null;) {
    const batch: Batch | null = tx.batch(above);
    if (batch === null) break;
    makers.add(batch.maker);
    above = batch.parent;
  }
  return [...makers];
}
