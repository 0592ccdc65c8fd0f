import 'server-only';
import { assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { Refusal } from '#lib/access/refusal.ts';
import type { Signing } from '#lib/approvals/ask-step-up.ts';
import { askForAnswer } from '#lib/passkeys/ask.ts';
import { currentPolicy } from '#lib/policy/versions.ts';
import { inTransaction } from '#lib/runtime/db.ts';
import { strictestStepUp } from '#lib/step-up/method.ts';
import { judgeNow } from './approve.ts';
import { readWaitingBatch } from './waiting.ts';

/**
 * Asks a person to sign the hash of a whole batch, bound to the policy of now. `nothing`: no policy
 * asks for a signature.
 *
 * @throws Refusal not_allowed, not_found, not_waiting, content_changed
 */
export async function askToSignBatch(
  actor: Person,
  { id, seenHash }: { id: string; seenHash: string },
  purpose: 'approve' | 'override',
): Promise<Signing> {
  assertMay(actor, purpose === 'override' ? 'movement.override' : 'movement.approve');
  return inTransaction(actor.merchantId, async (tx) => {
    const batch = await readWaitingBatch(tx, actor, id, { locks: false });
    if (batch === null) throw new Refusal('not_found');
    if (!batch.waits) throw new Refusal('not_waiting');
    if (batch.contentHash !== seenHash) throw new Refusal('content_changed');
    const { stepUp } = await judgeNow(tx, batch);
    const strictest = strictestStepUp([stepUp, ...batch.requirements.map((one) => one.stepUp)]);
    if (strictest === 'none') return { asked: 'nothing' };
    const version = (await currentPolicy(tx))?.version ?? 0;
    const content = { purpose, policyVersion: version, items: [batch.contentHash] };
    return { asked: 'step_up', ...(await askForAnswer(tx, actor, content, strictest === 'any')) };
  });
}
