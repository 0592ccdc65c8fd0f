import 'server-only';
import { assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { countAttempt } from '#lib/access/rate-limit.ts';
import { Refusal } from '#lib/access/refusal.ts';
import { readReason } from '#lib/approvals/reason.ts';
import { audit } from '#lib/audit/append.ts';
import { publish } from '#lib/live/publish.ts';
import { inTransaction } from '#lib/runtime/db.ts';
import { lockWaitingBatch } from './waiting.ts';

/**
 * Sends a batch back to its maker with a reason. It ends, and nothing of it has left; the maker
 * makes a new draft of its rows, which has another hash and needs approvals of its own. `without`:
 * the rows that the person asks to leave out; the new draft begins without them.
 *
 * @throws Refusal not_allowed, too_many, stop_reason_needed, not_found, not_waiting, content_changed,
 * own_movement, represented_movement, batch_changed
 */
export async function sendBackBatch(
  actor: Person,
  seen: { id: string; seenHash: string },
  { reason, without }: { reason: string; without: readonly number[] },
): Promise<void> {
  assertMay(actor, 'movement.approve');
  const why = readReason(reason);
  await countAttempt(actor, 'movement.approve');
  await inTransaction(actor.merchantId, async (tx) => {
    const { id, contentHash, rows, decidesFor } = await lockWaitingBatch(tx, actor, seen);
    const known = new Set(rows.map(({ number }) => number));
    if (without.some((row) => !known.has(row))) throw new Refusal('batch_changed');
    const out = [...new Set(without)].sort((a, b) => a - b);
    await tx.$executeRaw`
      UPDATE batch_runs SET stopped_at = clock_timestamp(), stopped_by = ${actor.personId}::uuid,
        sent_back_reason = ${why}, sent_back_rows = ${JSON.stringify(out)}::jsonb
      WHERE batch_id = ${id}::uuid`;
    await publish(tx, actor, { kind: 'batch', id });
    const detail = {
      contentHash,
      without: out.map(String),
      ...(decidesFor === actor.personId ? {} : { deputyOf: decidesFor }),
    };
    await audit(tx, actor, 'batch.sent_back', `batch:${id}`, detail, { reason: why });
  });
}
