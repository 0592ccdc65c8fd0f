import 'server-only';
import { createHash, randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { countAttempt } from '#lib/access/rate-limit.ts';
import { Refusal } from '#lib/access/refusal.ts';
import { audit } from '#lib/audit/append.ts';
import { inTransaction } from '#lib/runtime/db.ts';
import type { Row, Tx } from '#lib/runtime/db.ts';
import type { Locale } from '#lib/values/locale.ts';
import { UUID } from '#lib/values/uuid.ts';
import { personOf } from '../row-content.ts';
import { shapeOf } from '../file/shape.ts';
import { findTable } from '../file/table.ts';
import { EARLIER_COLUMNS, EARLIER_HEADINGS, EARLIER_SHEET, earlierFile } from './earlier-rows.ts';
import type { EarlierRow } from './earlier-rows.ts';
import { HEADINGS } from './template.ts';
import { rowKey } from './stored.ts';
import type { ChosenColumns, DraftChoices } from './stored.ts';

/**
 * `batchId`: a submitted batch. `name`: the draft's, that of the batch without one. `withoutAmounts`:
 * every amount is left to be typed.
 */
export type ToRepeat = { batchId: string; name?: string; withoutAmounts: boolean };

/**
 * Makes a draft that begins with the rows of a submitted batch, whatever became of these. It is no
 * retry: its rows are payments of their own, and the rules judge them as any others
 * (docs/decisions/0048). Rows that an approver asked to leave out are left out of the draft.
 *
 * @throws Refusal `not_allowed`, `too_many`, `not_found`
 */
export async function draftFromBatch(
  actor: Person,
  { batchId, name, withoutAmounts }: ToRepeat,
  locale: Locale,
): Promise<{ id: string }> {
  assertMay(actor, 'payout.prepare');
  await countAttempt(actor, 'batch.create');
  if (!UUID.test(batchId)) throw new Refusal('not_found');
  const id = randomUUID();
  await inTransaction(actor.merchantId, async (tx) => {
    const [batch] = await tx.$queryRaw<Row<'batches', 'name' | 'wallet' | 'currency'>[]>`
      SELECT name, wallet, currency FROM batches
      WHERE id = ${batchId}::uuid AND state = 'SUBMITTED'`;
    if (!batch) throw new Refusal('not_found');
    const found = await submittedRows(tx, batchId);
    const rows = found.map(({ row }) => row);
    const file = earlierFile(rows, HEADINGS[locale], { locale, withoutAmounts });
    // A name such as 'Toplam' beside no IBAN would be read as a line of totals.
    const take = rows.flatMap((row, at) =>
      row.person === undefined ? [] : [EARLIER_HEADINGS + 1 + at],
    );
    const choices: DraftChoices = {
      headings: [EARLIER_HEADINGS],
      ...(take.length > 0 && { take }),
    };
    const table = findTable(file, choices);
    // A row that reading left out would not be paid, without a word.
    if (table.rows.length !== rows.length) throw new Error('a row of a batch was not read again');
    const leftOut = found.flatMap(({ isSentBack }, at) =>
      isSentBack ? [rowKey(EARLIER_SHEET, EARLIER_HEADINGS + 1 + at)] : [],
    );
    const source = gzipSync(JSON.stringify(file));
    const columns: ChosenColumns = { by: 'memory', fields: EARLIER_COLUMNS };
    // The hash differs each time: the same salaries every month are no file that was uploaded twice.
    const hash = createHash('sha256').update(id).update(source).digest('hex');
    await tx.$executeRaw`
      INSERT INTO batches (id, merchant_id, maker_id, wallet, currency, name, format, shape,
        file_hash, source, choices, columns, left_out, from_id)
      VALUES (${id}::uuid, ${actor.merchantId}::uuid, ${actor.personId}::uuid, ${batch.wallet},
        ${batch.currency}, ${name ?? batch.name}, 'earlier', ${shapeOf(table)}, ${hash}, ${source},
        ${JSON.stringify(choices)}::jsonb, ${JSON.stringify(columns)}::jsonb,
        ${JSON.stringify(leftOut)}::jsonb, ${batchId}::uuid)`;
    const detail = { from: batchId, rows: rows.length, withoutAmounts };
    await audit(tx, actor, 'batch.repeated', `batch:${id}`, detail, { file: name ?? batch.name });
  });
  return { id };
}

/** `isSentBack`: an approver asked to leave the row out. */
type Found = { row: EarlierRow; isSentBack: boolean };

async function submittedRows(tx: Tx, batchId: string): Promise<Found[]> {
  const rows = await tx.$queryRaw<
    (Row<
      'batch_rows',
      | 'name'
      | 'iban'
      | 'tax_number'
      | 'amount_minor'
      | 'payment_type'
      | 'description'
      | 'to_wallet'
      | 'found_by'
      | 'found_name'
    > & { is_sent_back: boolean })[]
  >`
    SELECT w.name, w.iban, w.tax_number, w.amount_minor, w.payment_type, w.description, w.to_wallet,
      w.found_by, w.found_name, coalesce(r.sent_back_rows @> to_jsonb(w.n), FALSE) AS is_sent_back
    FROM batch_rows w LEFT JOIN batch_runs r ON r.batch_id = w.batch_id
    WHERE w.batch_id = ${batchId}::uuid ORDER BY w.n`;
  return rows.map((row) => ({
    row: {
      name: row.name,
      iban: row.iban,
      taxNumber: row.tax_number,
      amountMinor: row.amount_minor,
      paymentType: row.payment_type,
      description: row.description,
      ...personOf(row),
    },
    isSentBack: row.is_sent_back,
  }));
}
