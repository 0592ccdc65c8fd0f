import 'server-only';
import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { Refusal } from '#lib/access/refusal.ts';
import { audit } from '#lib/audit/append.ts';
import { discardDraft } from '#lib/batches/draft/change.ts';
import { currencyOf } from '#lib/batches/draft/create.ts';
import { checkDraft } from '#lib/batches/draft/read.ts';
import { readBatch } from '#lib/batches/draft/row.ts';
import type { BatchRow } from '#lib/batches/draft/row.ts';
import type { Ticks } from '#lib/batches/draft/stored.ts';
import { shapeOf } from '#lib/batches/file/shape.ts';
import { findTable } from '#lib/batches/file/table.ts';
import { submitBatch } from '#lib/batches/run/submit.ts';
import { viewRun } from '#lib/batches/run/view.ts';
import type { PayoutForm } from '#lib/payouts/schema.ts';
import { inTransaction } from '#lib/runtime/db.ts';
import { storable } from '#lib/runtime/stored-text.ts';
import { toDecimal } from '#lib/values/money.ts';
import { UUID } from '#lib/values/uuid.ts';
import { knownWallet, paymentTypes } from '#lib/wallets/ask.ts';
import { assertCallerMayUse, assertKeyWorks } from '../keys/authenticate.ts';
import type { Caller } from '../keys/authenticate.ts';
import { BATCH_CHOICES, BATCH_COLUMNS, sourceOf } from './batch-source.ts';
import { problemsOf, ticksOf } from './batch-problems.ts';
import type { Begun } from './begun.ts';
import { formOf } from './form.ts';
import { keepAnswer, takeIntent } from './intents.ts';
import { ApiRefusal } from './problem.ts';
import type { BatchAnswer, BatchBody, ProblemAnswer } from './schema.ts';

const LOCALE = 'en';
/** The version of a draft whose rows are still those of the request. */
const AS_WRITTEN = 1;

/**
 * Prepares a batch as a person does with a file: drafted, checked, submitted. All rows are taken, or
 * nothing is stored. A repetition with the same Idempotency-Key gets the same answer.
 *
 * @throws Refusal key_wallet, key_revoked, idempotency_reused, batch_rows_refused,
 * batch_over_again, wallet_unverified, and those of `submitBatch`
 */
export async function beginBatch(
  caller: Caller,
  idempotencyKey: string,
  body: BatchBody,
): Promise<Begun> {
  assertCallerMayUse(caller, body.wallet);
  const intent = await takeIntent(caller, { kind: 'batch', idempotencyKey, body });
  if (intent.answer !== null) return { answer: intent.answer, isRepeated: true };
  const { subjectId: id } = intent;
  const stored = await inTransaction(caller.person.merchantId, (tx) => readBatch(tx, id));
  const batch = stored ?? (await storeDraft(caller, await checkedBatch(caller, id, body)));
  if (batch.state === 'DISCARDED') throw new Refusal('batch_over_again');
  if (batch.state === 'DRAFT') await submitOrDiscard(caller, batch);
  const answer = await readBatchAnswer(caller, id);
  return { answer: await keepAnswer(caller, intent, answer), isRepeated: false };
}

/** The batch that would be stored, if all its rows may be paid. */
async function checkedBatch(caller: Caller, id: string, body: BatchBody): Promise<BatchRow> {
  const { person } = caller;
  const forms = formsOf(body);
  const currency = await currencyOf(person, body.wallet);
  const [wallet, types] = await Promise.all([
    knownWallet(person, body.wallet),
    paymentTypes(LOCALE),
  ]);
  const balance = wallet?.fresh ? wallet.value : null;
  if (balance === null || types.length === 0) throw new Refusal('wallet_unverified');
  const batch = batchOf(caller, { id, body, forms, currency });
  return inTransaction(person.merchantId, async (tx) => {
    const first = await checkDraft(tx, batch, { balance, types });
    const ticked = ticksOf(first.rows, forms);
    const meant = withTicks(batch, ticked);
    const draft = await checkDraft(tx, meant, { balance, types });
    const problems = problemsOf(draft, forms);
    if (problems !== null) throw new ApiRefusal('batch_rows_refused', problems);
    return meant;
  });
}

/** A table is remembered by id and version, and ticks are no part of it. */
function withTicks(batch: BatchRow, ticked: Ticks): BatchRow {
  return { ...batch, ticked };
}

function formsOf({ wallet, currency, rows }: BatchBody): PayoutForm[] {
  const errors: NonNullable<ProblemAnswer['errors']> = [];
  const forms = rows.flatMap((row, at) => {
    // The identity of each row's payout is made when the batch is submitted.
    const read = formOf({ wallet, currency, ...row }, NO_ID);
    if ('form' in read) return [read.form];
    errors.push(...read.errors.map((error) => ({ row: at + 1, ...error })));
    return [];
  });
  if (errors.length > 0) throw new ApiRefusal('batch_rows_refused', { errors });
  return forms;
}
const NO_ID = '00000000-0000-0000-0000-000000000000';

function batchOf(
  { person }: Caller,
  given: { id: string; body: BatchBody; forms: PayoutForm[]; currency: string },
): BatchRow {
  const { id, body, forms, currency } = given;
  const file = sourceOf(forms);
  const text = JSON.stringify(file);
  const now = new Date();
  return {
    id,
    maker_id: person.personId,
    wallet: body.wallet,
    currency,
    name: storable(body.name ?? ''),
    format: 'paste',
    shape: shapeOf(findTable(file, BATCH_CHOICES)),
    file_hash: createHash('sha256').update(text).digest('hex'),
    source: gzipSync(text),
    choices: BATCH_CHOICES,
    columns: BATCH_COLUMNS,
    defaults: {},
    edits: {},
    left_out: [],
    ticked: {},
    state: 'DRAFT',
    version: AS_WRITTEN,
    parent_id: null,
    from_id: null,
    created_at: now,
    changed_at: now,
  };
}

async function storeDraft(caller: Caller, batch: BatchRow): Promise<BatchRow> {
  const { person } = caller;
  const json = JSON.stringify;
  return inTransaction(person.merchantId, async (tx) => {
    await assertKeyWorks(tx, caller);
    const stored = await tx.$executeRaw`
      INSERT INTO batches (id, merchant_id, maker_id, wallet, currency, name, format, shape,
        file_hash, source, choices, columns, ticked)
      VALUES (${batch.id}::uuid, ${person.merchantId}::uuid, ${person.personId}::uuid,
        ${batch.wallet}, ${batch.currency}, ${batch.name}, ${batch.format}, ${batch.shape},
        ${batch.file_hash}, ${batch.source}, ${json(batch.choices)}::jsonb,
        ${json(batch.columns)}::jsonb, ${json(batch.ticked)}::jsonb)
      ON CONFLICT (id) DO NOTHING`;
    if (stored > 0) {
      const detail = { format: 'api', fileHash: batch.file_hash };
      await audit(tx, person, 'batch.drafted', `batch:${batch.id}`, detail, { file: batch.name });
    }
    return (await readBatch(tx, batch.id)) ?? batch;
  });
}

/**
 * Facts may have changed since the check, or a person may have changed a draft whose submission had
 * failed. Then the draft is discarded: a person could otherwise submit it while the program begins
 * the same payments anew.
 */
async function submitOrDiscard({ person }: Caller, { id, version }: BatchRow): Promise<void> {
  if (version !== AS_WRITTEN) {
    await discardDraft(person, { id, version });
    throw new Refusal('batch_over_again');
  }
  try {
    await submitBatch(person, { id, version, seenHash: null }, LOCALE);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    // A repetition at the same moment has submitted it.
    if (error.code === 'batch_not_draft' || error.code === 'batch_changed') return;
    if (error.code !== 'batch_not_ready') throw error;
    await discardDraft(person, { id, version });
    throw new Refusal('batch_over_again');
  }
}

/**
 * A batch that a program began, as it is now.
 *
 * @throws Refusal not_found
 */
export async function readBatchAnswer(caller: Caller, id: string): Promise<BatchAnswer> {
  if (!UUID.test(id)) throw new Refusal('not_found');
  const isOwn = await inTransaction(caller.person.merchantId, async (tx) => {
    const rows = await tx.$queryRaw<unknown[]>`
      SELECT FROM api_intents WHERE kind = 'batch' AND subject_id = ${id}::uuid`;
    return rows.length > 0;
  });
  const run = isOwn ? await viewRun(caller.person, id) : null;
  const { wallet } = caller.key;
  if (run === null || (wallet !== null && run.wallet !== wallet)) throw new Refusal('not_found');
  return {
    object: 'batch',
    id,
    status: run.phase,
    hold: run.hold?.why ?? null,
    wallet: run.wallet,
    currency: run.currency,
    name: run.name,
    rows: Object.fromEntries(
      Object.entries(run.groups).map(([group, { count, amountMinor }]) => [
        group,
        { count, amount: toDecimal(amountMinor) },
      ]),
    ),
    created_at: run.submittedAt,
  };
}
