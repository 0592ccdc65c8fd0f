import 'server-only';
import { assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { Refusal } from '#lib/access/refusal.ts';
import { audit } from '#lib/audit/append.ts';
import { inOne, inTransaction, sql } from '#lib/runtime/db.ts';
import type { Row, Tx } from '#lib/runtime/db.ts';
import type { Locale } from '#lib/values/locale.ts';
import { foldForSearch } from '#lib/values/turkish.ts';
import { UUID } from '#lib/values/uuid.ts';
import { draftFromBatch } from './from-earlier.ts';

/**
 * Templates: submitted batches that people gave a name, to begin drafts with their rows. All who
 * prepare payouts share them.
 */

export const TEMPLATE_NAME_MAX = 60;

const LISTED_MAX = 50;
/** How many earlier batches are offered; a search finds the others. */
export const EARLIER_MAX = 10;

/** `batchId`: whose rows these are. `sumMinor`: of all rows, in minor units. Times ISO. */
export type RowsToRepeat = {
  batchId: string;
  name: string;
  submittedAt: string;
  rows: number;
  sumMinor: bigint;
  currency: string;
};
export type NamedTemplate = RowsToRepeat & { id: string };

/**
 * The templates by name, and the latest submitted batches whose name has the text. `more`: there
 * are more batches than are listed.
 *
 * @throws Refusal `not_allowed`
 */
export async function rowsToRepeat(
  actor: Person,
  text: string,
): Promise<{ templates: NamedTemplate[]; batches: RowsToRepeat[]; more: boolean }> {
  assertMay(actor, 'payout.prepare');
  const like = `%${foldForSearch(text).replace(/[\\%_]/g, '\\$&')}%`;
  const [templates, batches] = await Promise.all([
    inOne<Found & { id: string }>(
      actor.merchantId,
      sql`SELECT t.id, t.name, b.id AS batch_id, b.submitted_at, b.currency, ${SUMS}
        FROM batch_templates t JOIN batches b ON b.id = t.batch_id
        WHERE t.deleted_at IS NULL AND t.name_fold LIKE ${like}
        ORDER BY t.name_fold, t.id LIMIT ${LISTED_MAX}`,
    ),
    inOne<Found>(
      actor.merchantId,
      sql`SELECT b.name, b.id AS batch_id, b.submitted_at, b.currency, ${SUMS} FROM batches b
        WHERE b.state = 'SUBMITTED' AND fold_for_search(b.name) LIKE ${like}
        ORDER BY b.submitted_at DESC, b.id DESC LIMIT ${EARLIER_MAX + 1}`,
    ),
  ]);
  return {
    templates: templates.map((row) => ({ id: row.id, ...shown(row) })),
    batches: batches.slice(0, EARLIER_MAX).map(shown),
    more: batches.length > EARLIER_MAX,
  };
}

const SUMS = sql`(SELECT count(*)::int FROM batch_rows w WHERE w.batch_id = b.id) AS rows,
  (SELECT coalesce(sum(w.amount_minor), 0)::text FROM batch_rows w WHERE w.batch_id = b.id) AS sum`;

type Found = {
  name: string;
  batch_id: string;
  submitted_at: Date;
  currency: string;
  rows: number;
  sum: string;
};

function shown(row: Found): RowsToRepeat {
  return {
    batchId: row.batch_id,
    name: row.name,
    submittedAt: row.submitted_at.toISOString(),
    rows: row.rows,
    sumMinor: BigInt(row.sum),
    currency: row.currency,
  };
}

/**
 * Gives a submitted batch a name as a template.
 *
 * @throws Refusal `not_allowed`, `not_found`, `template_name`, `template_exists`
 */
export async function saveTemplate(
  actor: Person,
  { batchId, name }: { batchId: string; name: string },
): Promise<void> {
  assertMay(actor, 'payout.prepare');
  const called = nameOf(name);
  await inTransaction(actor.merchantId, async (tx) => {
    const [batch] = UUID.test(batchId)
      ? await tx.$queryRaw<Row<'batches', 'id'>[]>`
          SELECT id FROM batches WHERE id = ${batchId}::uuid AND state = 'SUBMITTED'`
      : [];
    if (!batch) throw new Refusal('not_found');
    const made = await tx.$executeRaw`
      INSERT INTO batch_templates (merchant_id, batch_id, name, made_by)
      VALUES (${actor.merchantId}::uuid, ${batchId}::uuid, ${called}, ${actor.personId}::uuid)
      ON CONFLICT DO NOTHING`;
    if (made === 0) throw new Refusal('template_exists');
    await audit(tx, actor, 'batch.template_saved', `batch:${batchId}`, {}, { template: called });
  });
}

/** @throws Refusal `not_allowed`, `not_found`, `template_name`, `template_exists` */
export async function renameTemplate(actor: Person, id: string, name: string): Promise<void> {
  assertMay(actor, 'payout.prepare');
  const called = nameOf(name);
  await inTransaction(actor.merchantId, async (tx) => {
    const before = await lockTemplate(tx, id);
    const [twin] = await tx.$queryRaw<Row<'batch_templates', 'id'>[]>`
      SELECT id FROM batch_templates WHERE name_fold = ${foldForSearch(called)}
        AND deleted_at IS NULL AND id <> ${id}::uuid`;
    if (twin) throw new Refusal('template_exists');
    await tx.$executeRaw`UPDATE batch_templates SET name = ${called} WHERE id = ${id}::uuid`;
    await audit(
      tx,
      actor,
      'batch.template_renamed',
      `batch:${before.batch_id}`,
      {},
      {
        nameBefore: before.name,
        nameAfter: called,
      },
    );
  });
}

/** The batch and its drafts stay. @throws Refusal `not_allowed`, `not_found` */
export async function deleteTemplate(actor: Person, id: string): Promise<void> {
  assertMay(actor, 'payout.prepare');
  await inTransaction(actor.merchantId, async (tx) => {
    const before = await lockTemplate(tx, id);
    await tx.$executeRaw`
      UPDATE batch_templates SET deleted_at = clock_timestamp() WHERE id = ${id}::uuid`;
    const named = { template: before.name };
    await audit(tx, actor, 'batch.template_deleted', `batch:${before.batch_id}`, {}, named);
  });
}

/** A draft of the template's rows, under its name. @throws Refusal as `draftFromBatch` */
export async function draftFromTemplate(
  actor: Person,
  { id, withoutAmounts }: { id: string; withoutAmounts: boolean },
  locale: Locale,
): Promise<{ id: string }> {
  assertMay(actor, 'payout.prepare');
  const { name, batch_id: batchId } = await inTransaction(actor.merchantId, (tx) =>
    lockTemplate(tx, id),
  );
  return draftFromBatch(actor, { batchId, name, withoutAmounts }, locale);
}

async function lockTemplate(
  tx: Tx,
  id: string,
): Promise<Row<'batch_templates', 'name' | 'batch_id'>> {
  if (!UUID.test(id)) throw new Refusal('not_found');
  const [row] = await tx.$queryRaw<Row<'batch_templates', 'name' | 'batch_id'>[]>`
    SELECT name, batch_id FROM batch_templates WHERE id = ${id}::uuid AND deleted_at IS NULL
    FOR UPDATE`;
  if (!row) throw new Refusal('not_found');
  return row;
}

function nameOf(text: string): string {
  const name = text
    .normalize('NFC')
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim();
  if (foldForSearch(name) === '' || name.length > TEMPLATE_NAME_MAX)
    throw new Refusal('template_name', { max: TEMPLATE_NAME_MAX });
  return name;
}
