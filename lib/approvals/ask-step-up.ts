import 'server-only';
import { assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { Refusal } from '#lib/access/refusal.ts';
import { MOVEMENT, fromRaw } from '#lib/movements/row.ts';
import type { MovementRow, RawMovement } from '#lib/movements/row.ts';
import { judgeByPolicy } from '#lib/movements/policy-facts.ts';
import { REQUIREMENTS_OF_M } from '#lib/movements/approvals-of.ts';
import type { Requirement } from '#lib/movements/approvals-cover.ts';
import { askForAnswer } from '#lib/passkeys/ask.ts';
import type { AskedStepUp } from '#lib/passkeys/ask.ts';
import { currentPolicy } from '#lib/policy/versions.ts';
import { inTransaction } from '#lib/runtime/db.ts';
import type { Tx } from '#lib/runtime/db.ts';
import { stepUpItem } from '#lib/step-up/challenge.ts';
import { strictestStepUp } from '#lib/step-up/method.ts';
import type { StepUpAsked } from '#lib/step-up/method.ts';
import { UUID } from '#lib/values/uuid.ts';
import { MANY_MAX } from './flags.ts';
import { assertWaits } from './lock-waiting.ts';

/** What is signed, in the words of the movement: the dialog shows it beside the button. */
export type Signing = { asked: 'nothing' } | ({ asked: 'step_up' } & AskedStepUp);

/**
 * Asks a person to sign what they are about to approve: one challenge over all of it, bound to the
 * policy of now. `nothing`: no policy asks for a signature.
 *
 * @throws Refusal not_allowed, not_found, too_many_picked, not_waiting, content_changed
 */
export async function askStepUp(
  actor: Person,
  picked: readonly { id: string; seenHash: string }[],
  purpose: 'approve' | 'override',
): Promise<Signing> {
  assertMay(actor, purpose === 'override' ? 'movement.override' : 'movement.approve');
  if (picked.length > MANY_MAX) throw new Refusal('too_many_picked', { max: MANY_MAX });
  if (picked.length === 0 || picked.some(({ id }) => !UUID.test(id)))
    throw new Refusal('not_found');
  return inTransaction(actor.merchantId, async (tx) => {
    const policy = await currentPolicy(tx);
    const [items, asked]: [string[], StepUpAsked[]] = [[], []];
    for (const seen of picked) {
      const { movement, stepUp } = await readSigned(tx, seen);
      items.push(stepUpItem(movement));
      asked.push(stepUp);
    }
    const strictest = strictestStepUp(asked);
    if (strictest === 'none') return { asked: 'nothing' };
    const content = { purpose, policyVersion: policy?.version ?? 0, items: [...new Set(items)] };
    return { asked: 'step_up', ...(await askForAnswer(tx, actor, content, strictest === 'any')) };
  });
}

/** A movement that waits, and what the policies so far and the one of now ask of its approval. */
async function readSigned(
  tx: Tx,
  { id, seenHash }: { id: string; seenHash: string },
): Promise<{ movement: MovementRow; stepUp: StepUpAsked }> {
  const [raw] = await tx.$queryRaw<(RawMovement & { requirements: Requirement[] })[]>`
    SELECT ${MOVEMENT.of('m')}, ${REQUIREMENTS_OF_M} AS requirements
    FROM movements m WHERE m.id = ${id}::uuid`;
  if (!raw) throw new Refusal('not_found');
  const movement = fromRaw(raw);
  await assertWaits(tx, movement);
  if (movement.contentHash !== seenHash) throw new Refusal('content_changed');
  const { kind, makerId } = movement;
  const now = await judgeByPolicy(tx, { id, kind, makerId, content: movement });
  return {
    movement,
    stepUp: strictestStepUp([now.stepUp, ...raw.requirements.map((one) => one.stepUp)]),
  };
}
