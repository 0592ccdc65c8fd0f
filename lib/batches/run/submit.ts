import 'server-only';
import { createHash, randomUUID } from 'node:crypto';
import { assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { countAttempt } from '#lib/access/rate-limit.ts';
import { Refusal } from '#lib/access/refusal.ts';
import { audit } from '#lib/audit/append.ts';
import { publish } from '#lib/live/publish.ts';
import { contentHash, newExtId } from '#lib/movements/content.ts';
import { inTransaction } from '#lib/runtime/db.ts';
import type { Row, Tx } from '#lib/runtime/db.ts';
import type { Locale } from '#lib/values/locale.ts';
import { formOf, readDraft } from '../draft/read.ts';

/** The content of one row as it will be paid. `retryOf`: the movement that it pays again. */
export type SubmittedRow = {
  number: number;
  original: readonly string[];
  iban: string;
  name: string;
  taxNumber: string;
  amountMinor: bigint;
  paymentType: string;
  description: string;
  overrides: readonly string[];
  overrideReason: string | null;
  retryOf: string | null;
};

/**
 * Submits a draft whose rows have no problem by the facts of now.
 *
 * @throws Refusal not_allowed, too_many, not_found, batch_of_other, batch_changed, batch_not_ready
 */
export async function submitBatch(
  actor: Person,
  of: { id: string; version: number },
  locale: Locale,
): Promise<void> {
  assertMay(actor, 'payout.prepare');
  const draft = await readDraft(actor, of.id, locale);
  if (!draft.isReady) throw new Refusal('batch_not_ready');
  const retried = await paidBefore(actor, draft.batch.parent_id);
  const rows = draft.rows.flatMap((row): SubmittedRow[] => {
    const form = formOf(row, draft.batch.wallet);
    if (form === null) return [];
    const { content, overrides, overrideReason } = form;
    const { number, original } = row;
    const retryOf = retried.get(number) ?? null;
    return [{ ...content, number, original, overrides, overrideReason, retryOf }];
  });
  await submitRows(actor, of, rows);
}

/**
 * The movement that each row pays again, by row: the latest one that an earlier batch made of the
 * row. A draft that was split off from a retry has the retry between itself and that batch.
 */
async function paidBefore(actor: Person, parentId: string | null): Promise<Map<number, string>> {
  const rows = await inTransaction(
    actor.merchantId,
    (tx) => tx.$queryRaw<Row<'batch_rows', 'n' | 'movement_id'>[]>`
      WITH RECURSIVE earlier AS (
        SELECT id, parent_id, 1 AS steps FROM batches WHERE id = ${parentId}::uuid
        UNION SELECT b.id, b.parent_id, e.steps + 1 FROM batches b JOIN earlier e
          ON b.id = e.parent_id)
      SELECT DISTINCT ON (w.n) w.n, w.movement_id FROM earlier e
        JOIN batch_rows w ON w.batch_id = e.id
      WHERE w.made_at IS NOT NULL ORDER BY w.n, e.steps`,
  );
  return new Map(rows.map((row) => [row.n, row.movement_id]));
}

/**
 * Freezes the checked rows of a draft and lets the batch run. The same press again changes nothing.
 * `version`: of the draft that was checked; one that was changed since is refused.
 *
 * @throws Refusal not_allowed, too_many, not_found, batch_of_other, batch_changed
 */
export async function submitRows(
  actor: Person,
  { id, version }: { id: string; version: number },
  rows: readonly SubmittedRow[],
): Promise<void> {
  assertMay(actor, 'payout.prepare');
  await countAttempt(actor, 'payout.create');
  if (rows.length === 0) throw new Refusal('batch_changed');
  await inTransaction(actor.merchantId, async (tx) => {
    const [batch] = await tx.$queryRaw<
      Row<'batches', 'state' | 'version' | 'wallet' | 'currency' | 'maker_id'>[]
    >`SELECT state, version, wallet, currency, maker_id FROM batches
      WHERE id = ${id}::uuid FOR UPDATE`;
    if (!batch) throw new Refusal('not_found');
    if (batch.maker_id !== actor.personId) throw new Refusal('batch_of_other');
    if (batch.state === 'SUBMITTED') return;
    if (batch.state !== 'DRAFT' || batch.version !== version) throw new Refusal('batch_changed');
    const hash = await storeRows(tx, actor, { id, ...batch }, rows);
    await tx.$executeRaw`
      UPDATE batches SET state = 'SUBMITTED', version = version + 1, content_hash = ${hash},
        submitted_at = clock_timestamp() WHERE id = ${id}::uuid`;
    const { personId, sessionId, ip } = actor;
    await tx.$executeRaw`
      INSERT INTO batch_runs (merchant_id, batch_id, submitted_by) VALUES (${actor.merchantId}::uuid,
        ${id}::uuid, ${JSON.stringify({ personId, sessionId, ip })}::jsonb)`;
    await publish(tx, actor, { kind: 'batch', id });
    await audit(tx, actor, 'batch.submitted', `batch:${id}`, {
      contentHash: hash,
      rows: rows.length,
      amountMinor: rows.reduce((sum, row) => sum + row.amountMinor, 0n).toString(),
      currency: batch.currency,
    });
  });
}

/** Returns the hash of all rows: SHA-256 over row number, content hash and reference of each. */
async function storeRows(
  tx: Tx,
  { merchantId }: Person,
  { id, wallet, currency }: { id: string } & Row<'batches', 'wallet' | 'currency'>,
  rows: readonly SubmittedRow[],
): Promise<string> {
  const stored = rows.map((row) => ({ ...row, movementId: randomUUID(), extId: newExtId() }));
  const hash = createHash('sha256');
  for (const { number, extId, ...row } of stored) {
    const content = { ...row, wallet, currency, toWallet: null, foundBy: null, foundName: null };
    hash.update(`${JSON.stringify([number, contentHash('payout', content), extId])}\n`);
  }
  const values = JSON.stringify(stored, (_key, value: unknown) =>
    typeof value === 'bigint' ? value.toString() : value,
  );
  await tx.$executeRaw`
    INSERT INTO batch_rows (merchant_id, batch_id, n, original, iban, name, tax_number,
      amount_minor, currency, payment_type, description, overrides, override_reason, retry_of,
      movement_id, ext_id)
    SELECT ${merchantId}::uuid, ${id}::uuid, r.number, r.original, r.iban, r.name, r."taxNumber",
      r."amountMinor", ${currency}, r."paymentType", r.description, r.overrides,
      r."overrideReason", r."retryOf", r."movementId", r."extId"
    FROM jsonb_to_recordset(${values}::jsonb) AS r(number int, original jsonb, iban text, name text,
      "taxNumber" text, "amountMinor" bigint, "paymentType" text, description text,
      overrides jsonb, "overrideReason" text, "retryOf" uuid, "movementId" uuid, "extId" text)`;
  return hash.digest('hex');
}
