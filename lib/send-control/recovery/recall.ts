import 'server-only';
import { randomUUID } from 'node:crypto';
import type { Tx } from '#lib/runtime/db.ts';
import { queueAfter } from '#lib/movements/claim-rules.ts';
import { requestHash } from '#lib/movements/claim.ts';
import type { ClaimOptions } from '#lib/movements/claim.ts';
import { record } from '#lib/movements/evidence.ts';
import type { MovementRow } from '#lib/movements/row.ts';
import type { Evidence } from '#lib/movements/state.ts';

export type Write = (before: MovementRow, evidence: Evidence) => Promise<MovementRow>;

/** Writes evidence as the worker, for a movement that the caller has locked. */
export function writerOf(tx: Tx, options: ClaimOptions, now: number): Write {
  return (before, evidence) =>
    record(tx, { kind: 'worker', merchantId: options.merchantId }, before, evidence, now, (after) =>
      queueAfter(before, evidence, after, now, options.policy, options.random),
    );
}

/**
 * Records a send that the restored database lacks as a send without an answer. Makes no request.
 */
export async function recallSend(
  tx: Tx,
  options: ClaimOptions,
  movement: MovementRow,
  write: Write,
): Promise<MovementRow> {
  await tx.$executeRaw`
    INSERT INTO attempts (merchant_id, movement_id, n, body_hash, lease_token)
    VALUES (${options.merchantId}::uuid, ${movement.id}::uuid, ${movement.sends + 1},
      ${requestHash(options)(movement)}, ${randomUUID()}::uuid)`;
  return write(await write(movement, { source: 'worker', kind: 'claimed' }), {
    source: 'worker',
    kind: 'lease_expired',
  });
}
