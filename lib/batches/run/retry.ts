import 'server-only';
import { randomUUID } from 'node:crypto';
import { assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { Refusal } from '#lib/access/refusal.ts';
import { audit } from '#lib/audit/append.ts';
import { inTransaction } from '#lib/runtime/db.ts';
import type { Row, Tx } from '#lib/runtime/db.ts';
import { BATCH_EXPIRED_R } from '../approval/waiting.ts';
import { readBatch, tableOf } from '../draft/row.ts';
import { rowKey } from '../draft/stored.ts';
import { rowsOfRetry } from './retry-rules.ts';
import type { RunRow } from './retry-rules.ts';

type Run = Row<
  'batch_runs',
  'fed_at' | 'stopped_at' | 'began_at' | 'sent_back_rows',
  { sent_back_rows: number[] | null }
> & { expired: boolean };

/**
 * Makes a draft of the rows of a batch that provably were not paid: refused, failed, cancelled,
 * expired, sent back by the bank, or left over by a stop. A row whose outcome is unknown, or
 * contradicted by its record, is never among them. A batch that was sent back gives all its rows,
 * with their ticks; those that the approver asks to leave out are left out of the draft. Once for
 * each batch, until its draft and every part split off from that are discarded: a row without a
 * movement has nothing else that keeps it from being paid by two drafts.
 *
 * @throws Refusal not_allowed, not_found, batch_runs, batch_nothing_to_retry, batch_retried
 */
export async function retryUnpaid(actor: Person, id: string): Promise<{ id: string }> {
  assertMay(actor, 'payout.prepare');
  return inTransaction(actor.merchantId, async (tx) => {
    const batch = await readBatch(tx, id);
    const [run] = await tx.$queryRaw<Run[]>`
      SELECT r.fed_at, r.stopped_at, r.began_at, r.sent_back_rows, ${BATCH_EXPIRED_R} AS expired
      FROM batch_runs r WHERE r.batch_id = ${batch?.id ?? null}::uuid FOR UPDATE`;
    if (batch === null || !run) throw new Refusal('not_found');
    if (run.fed_at === null && run.stopped_at === null && !run.expired)
      throw new Refusal('batch_runs');
    const other = await readRetry(tx, id, run.began_at);
    if (other !== null) throw new Refusal('batch_retried', { id: other });
    const rows = await tx.$queryRaw<RunRow[]>`
      SELECT w.n, w.refused_at IS NOT NULL AS refused, w.made_at IS NOT NULL AS made, m.state,
        m.returned, m.alert
      FROM batch_rows w LEFT JOIN movements m ON m.id = w.movement_id
      WHERE w.batch_id = ${id}::uuid ORDER BY w.n`;
    const { unpaid, leftOut } = rowsOfRetry(rows, run.sent_back_rows);
    if (unpaid.length === 0) throw new Refusal('batch_nothing_to_retry');
    const { sheet } = tableOf(batch);
    const { only: _only, without: _without, ...table } = batch.choices;
    const choices = { ...table, only: unpaid.map((n) => rowKey(sheet, n)) };
    const draft = randomUUID();
    const without = leftOut.map((n) => rowKey(sheet, n));
    const ticked = run.sent_back_rows === null ? {} : batch.ticked;
    // One that ran out is over now, whatever the clock of the database says later.
    if (run.stopped_at === null && run.expired)
      await tx.$executeRaw`
        UPDATE batch_runs SET stopped_at = clock_timestamp(), stopped_by = ${actor.personId}::uuid
        WHERE batch_id = ${id}::uuid`;
    await tx.$executeRaw`
      INSERT INTO batches (id, merchant_id, maker_id, wallet, currency, name, format, shape,
        file_hash, source, choices, columns, defaults, edits, left_out, ticked, from_id,
        parent_id)
      SELECT ${draft}::uuid, merchant_id, ${actor.personId}::uuid, wallet, currency, name, format,
        shape, file_hash, source, ${JSON.stringify(choices)}::jsonb, columns, defaults, edits,
        ${JSON.stringify(without)}::jsonb, ${JSON.stringify(ticked)}::jsonb, from_id, id
      FROM batches WHERE id = ${id}::uuid`;
    await audit(tx, actor, 'batch.retried', `batch:${id}`, { to: draft, rows: unpaid.length });
    return { id: draft };
  });
}

/**
 * The batch that was made of the unpaid rows of another one, or a part of it; null while there is
 * none or all are discarded. `beganAt`: the submission, before which parts were split off.
 */
export async function readRetry(tx: Tx, id: string, beganAt: Date): Promise<string | null> {
  const [retry] = await tx.$queryRaw<Row<'batches', 'id'>[]>`
    WITH RECURSIVE retries AS (
      SELECT id, state FROM batches WHERE parent_id = ${id}::uuid AND created_at > ${beganAt}
      UNION SELECT b.id, b.state FROM batches b JOIN retries r ON b.parent_id = r.id)
    SELECT id FROM retries WHERE state <> 'DISCARDED' LIMIT 1`;
  return retry?.id ?? null;
}
