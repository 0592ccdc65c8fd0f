import 'server-only';
import { randomUUID } from 'node:crypto';
import { assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { countAttempt } from '#lib/access/rate-limit.ts';
import { Refusal } from '#lib/access/refusal.ts';
import { audit } from '#lib/audit/append.ts';
import { publish } from '#lib/live/publish.ts';
import { newExtId } from '#lib/movements/content.ts';
import { requirementOf } from '#lib/movements/requirement.ts';
import { lockSubmissions } from '#lib/movements/submit.ts';
import { storedText } from '#lib/policy/stored-rules.ts';
import { inTransaction } from '#lib/runtime/db.ts';
import type { Row, Tx } from '#lib/runtime/db.ts';
import { storable } from '#lib/runtime/stored-text.ts';
import type { Locale } from '#lib/values/locale.ts';
import { treeOfRows } from '../approval/frozen.ts';
import { judgeBatch } from '../approval/judge.ts';
import { formOf, readDraft } from '../draft/read.ts';
import { payeeColumns, rowKindOf } from '../row-content.ts';
import type { RowContent } from '../row-content.ts';
import { seenHashOf } from './seen-hash.ts';

/** The content of one row as it will be paid. `retryOf`: the movement that it pays again. */
export type SubmittedRow = Omit<RowContent, 'amountMinor'> & {
  number: number;
  original: readonly string[];
  amountMinor: bigint;
  overrides: readonly string[];
  overrideReason: string | null;
  retryOf: string | null;
};

/**
 * Submits a draft whose rows have no problem by the facts of now. `seenHash`: what the person saw
 * ({@link seenHashOf}); null where a program wrote the rows whole and nobody looked at them.
 *
 * @throws Refusal not_allowed, too_many, not_found, batch_of_other, batch_changed, batch_not_ready,
 * batch_rows_changed
 */
export async function submitBatch(
  actor: Person,
  of: { id: string; version: number; seenHash: string | null },
  locale: Locale,
): Promise<void> {
  assertMay(actor, 'payout.prepare');
  const draft = await readDraft(actor, of.id, locale);
  if (!draft.isReady) throw new Refusal('batch_not_ready');
  // Exactly the rows that are compared here are stored below.
  if (of.seenHash !== null && of.seenHash !== seenHashOf(draft))
    throw new Refusal('batch_rows_changed');
  const retried = await paidBefore(actor, draft.batch.parent_id);
  const rows = draft.rows.flatMap((row): SubmittedRow[] => {
    const form = formOf(row);
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
 * Freezes the checked rows of a draft. The batch runs, or waits for the approvals that the policy of
 * this moment asks for. The same press again changes nothing.
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
    await lockSubmissions(tx, actor.merchantId);
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
    const approvalsNeeded = await beginRun(tx, actor, { id, hash, ...batch }, rows);
    await publish(tx, actor, { kind: 'batch', id });
    await audit(tx, actor, 'batch.submitted', `batch:${id}`, {
      contentHash: hash,
      ...(approvalsNeeded === 0 ? {} : { approvalsNeeded }),
      rows: rows.length,
      amountMinor: rows.reduce((sum, row) => sum + row.amountMinor, 0n).toString(),
      currency: batch.currency,
    });
  });
}

/** Stores what the policy asks of the batch; the database lets it run where that is nothing. */
async function beginRun(
  tx: Tx,
  actor: Person,
  { id, hash, wallet, currency }: { id: string; hash: string; wallet: string; currency: string },
  rows: readonly SubmittedRow[],
): Promise<number> {
  const { merchantId, personId, sessionId, ip } = actor;
  const verdict = await judgeBatch(tx, { id, makerId: personId, wallet, currency, rows });
  const { needed, ownersOnly, stepUp } = requirementOf(verdict, hash) ?? NOTHING;
  await tx.$executeRaw`
    INSERT INTO batch_runs (merchant_id, batch_id, submitted_by, approvals_needed, owners_only,
      step_up, policy_version, reasons)
    VALUES (${merchantId}::uuid, ${id}::uuid, ${JSON.stringify({ personId, sessionId, ip })}::jsonb,
      ${needed}, ${ownersOnly}, ${stepUp}, ${verdict.version},
      ${storedText(verdict.judgement.reasons)}::jsonb)`;
  return needed;
}

const NOTHING = { needed: 0, ownersOnly: false, stepUp: 'none' } as const;

/** A cell of a workbook may hold what the database cannot, as _x0000_ does. */
function storedValue(_name: string, value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString();
  return typeof value === 'string' ? storable(value) : value;
}

/** Returns the hash that stands for all rows: the root of their tree. */
async function storeRows(
  tx: Tx,
  { merchantId }: Person,
  { id, wallet, currency }: { id: string } & Row<'batches', 'wallet' | 'currency'>,
  rows: readonly SubmittedRow[],
): Promise<string> {
  const stored = rows
    .map((row) => ({ ...row, movementId: randomUUID(), extId: newExtId() }))
    .toSorted((a, b) => a.number - b.number);
  const { root, steps } = treeOfRows({ wallet, currency }, stored);
  const withSteps = stored.map((row, at) => ({
    ...row,
    ...payeeColumns(row),
    kind: rowKindOf(row),
    tree: steps[at],
  }));
  const values = JSON.stringify(withSteps, storedValue);
  await tx.$executeRaw`
    INSERT INTO batch_rows (merchant_id, batch_id, n, original, iban, name, tax_number,
      amount_minor, currency, payment_type, description, overrides, override_reason, retry_of,
      movement_id, ext_id, tree, kind, to_wallet, found_by, found_name)
    SELECT ${merchantId}::uuid, ${id}::uuid, r.number, r.original, r.iban, r.name, r."taxNumber",
      r."amountMinor", ${currency}, r."paymentType", r.description, r.overrides,
      r."overrideReason", r."retryOf", r."movementId", r."extId", r.tree,
      r.kind, r."toWallet", r."foundBy", r."foundName"
    FROM jsonb_to_recordset(${values}::jsonb) AS r(number int, original jsonb, iban text, name text,
      "taxNumber" text, "amountMinor" bigint, "paymentType" text, description text,
      overrides jsonb, "overrideReason" text, "retryOf" uuid, "movementId" uuid, "extId" text,
      tree jsonb, kind text, "toWallet" text, "foundBy" text, "foundName" text)`;
  return root;
}
