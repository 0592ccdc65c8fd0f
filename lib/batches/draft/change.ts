import 'server-only';
import { assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { Refusal } from '#lib/access/refusal.ts';
import { audit } from '#lib/audit/append.ts';
import { inTransaction } from '#lib/runtime/db.ts';
import type { Tx } from '#lib/runtime/db.ts';
import { storable } from '#lib/runtime/stored-text.ts';
import {
  REASON_MAX,
  readDescription,
  readPaymentType,
  readReason,
} from '#lib/form-fields/money-form.ts';
import type { Locale } from '#lib/values/locale.ts';
import { FIELDS } from '../file/headings.ts';
import type { Field } from '../file/headings.ts';
import { changeMapping, columnsToRemember } from '../file/mapping.ts';
import { shapeOf } from '../file/shape.ts';
import { findTable } from '../file/table.ts';
import { currencyOf, rememberedColumns } from './create.ts';
import { lockDraft, sourceOf, stateOf, tableOf } from './row.ts';
import type { BatchRow } from './row.ts';
import { isEditable } from './stored.ts';
import type { DraftChoices, DraftState, Edit } from './stored.ts';
import { tickedToo } from './warning-kinds.ts';

/**
 * What the maker changes in a draft. Each change names the version that it was made on; of two
 * changes of one version the second is refused, and its text stays in its field.
 */

const TEXT_MAX = 1_000;

/** The draft and the version of it that a person sees. */
export type OfDraft = { id: string; version: number };
export type Changed = { version: number };

/** Text typed into a cell instead of the file's. @throws Refusal as `lockDraft`, `batch_row_gone` */
export async function typeIntoCell(
  actor: Person,
  of: OfDraft,
  { row, field, text, locale }: { row: string; field: string; text: string; locale: Locale },
): Promise<Changed> {
  const typed = storable(text.slice(0, TEXT_MAX));
  return editCell(actor, of, row, field, () => ({ typed, locale }));
}

/** The text of the file without its repairs. @throws Refusal as `typeIntoCell` */
export async function undoCell(
  actor: Person,
  of: OfDraft,
  { row, field }: { row: string; field: string },
): Promise<Changed> {
  return editCell(actor, of, row, field, () => ({ undo: true }));
}

/** The cell as it was before anything was changed by hand. @throws Refusal as `typeIntoCell` */
export async function restoreCell(
  actor: Person,
  of: OfDraft,
  { row, field }: { row: string; field: string },
): Promise<Changed> {
  return editCell(actor, of, row, field, () => null);
}

/** One of the readings of a cell that asks. @throws Refusal `not_found`, as `typeIntoCell` */
export async function chooseInCell(
  actor: Person,
  of: OfDraft,
  { row, field, choice }: { row: string; field: string; choice: number },
): Promise<Changed> {
  if (!Number.isInteger(choice) || choice < 0) throw new Refusal('not_found');
  return editCell(actor, of, row, field, () => ({ choice }));
}

/** Takes rows out, or back in. @throws Refusal as `typeIntoCell` */
export async function takeRows(
  actor: Person,
  of: OfDraft,
  { rows, out }: { rows: readonly string[]; out: boolean },
): Promise<Changed> {
  return change(actor, of, (state, row) => {
    for (const key of rows) assertRow(row, key);
    const kept = state.leftOut.filter((key) => !rows.includes(key));
    return { ...state, leftOut: out ? [...kept, ...rows] : kept };
  });
}

/** Ticks warnings of a row, with a reason. @throws Refusal `reason_needed`, as `typeIntoCell` */
export async function tickRow(
  actor: Person,
  of: OfDraft,
  { row: key, keys, reason: text }: { row: string; keys: readonly string[]; reason: string },
): Promise<Changed> {
  const reason = readReason(text, () => null);
  if (reason === null) throw new Refusal('reason_needed');
  return change(actor, of, (state, row) => {
    assertRow(row, key);
    const stored = keys.map((one) => storable(one.slice(0, TEXT_MAX)));
    const ticked = tickedToo(state.ticked[key], { keys: stored, reason }, REASON_MAX);
    return { ...state, ticked: { ...state.ticked, [key]: ticked } };
  });
}

/** Which column is a field; the choice is remembered for files of this shape. */
export async function chooseColumn(
  actor: Person,
  of: OfDraft,
  { field, column }: { field: string; column: number | null },
): Promise<Changed> {
  const known = FIELDS.find((one) => one === field);
  if (known === undefined) throw new Refusal('not_found');
  return change(actor, of, async (state, row, tx) => {
    const { mapping, table } = tableOf(row);
    if (column !== null && !(column in table.columns)) throw new Refusal('not_found');
    const fields = columnsToRemember(changeMapping(mapping, known satisfies Field, column));
    await tx.$executeRaw`
      INSERT INTO batch_columns (merchant_id, shape, columns)
        VALUES (${actor.merchantId}::uuid, ${row.shape}, ${JSON.stringify(fields)}::jsonb)
      ON CONFLICT (merchant_id, shape) DO UPDATE SET columns = excluded.columns,
        changed_at = clock_timestamp()`;
    return { ...state, columns: { by: 'hand' as const, fields } };
  });
}

/**
 * Another sheet, other heading rows, or one more left-out row to take: what the table is.
 *
 * @throws Refusal `not_found`, `file_too_many_rows`, as `lockDraft`
 */
export async function chooseTable(
  actor: Person,
  of: OfDraft,
  chosen: { sheet: number } | { headings: readonly number[] | 'none' } | { takeAlso: number },
): Promise<Changed> {
  return change(actor, of, async (state, row, tx) => {
    const file = sourceOf(row);
    const choices = changedChoices(state.choices, chosen);
    if (choices.sheet !== undefined && !(choices.sheet in file.sheets))
      throw new Refusal('not_found');
    const table = findTable(file, choices);
    const shape = shapeOf(table);
    const columns = shape === row.shape ? state.columns : await rememberedColumns(tx, shape, table);
    return { ...state, choices, columns, shape };
  });
}

/** Numbers of rows are those of one sheet, so that another sheet begins without any. */
function changedChoices(
  before: DraftChoices,
  chosen: Parameters<typeof chooseTable>[2],
): DraftChoices {
  const { headings: _headings, take = [], ...others } = before;
  if ('sheet' in chosen) return { ...others, sheet: chosen.sheet };
  if ('headings' in chosen) return { ...before, headings: chosen.headings };
  return { ...before, take: [...new Set([...take, chosen.takeAlso])] };
}

/**
 * What rows without a payment type or a description get.
 *
 * @throws Refusal `not_found`, `description_too_long`, `description_control_characters`, as `lockDraft`
 */
export async function chooseDefaults(
  actor: Person,
  of: OfDraft,
  { paymentType, description }: { paymentType: string; description: string },
): Promise<Changed> {
  const type =
    paymentType === ''
      ? null
      : readPaymentType(paymentType, () => {
          throw new Refusal('not_found');
        });
  const words = readDescription(description, (_field, code, params) => {
    throw new Refusal(code, params);
  });
  return change(actor, of, (state) => ({
    ...state,
    defaults: {
      ...(type !== null && { paymentType: type }),
      ...(words !== null && words !== '' && { description: words }),
    },
  }));
}

/** Another wallet that pays. @throws Refusal `not_found`, `wallet_unverified` */
export async function chooseWallet(actor: Person, of: OfDraft, wallet: string): Promise<Changed> {
  assertMay(actor, 'payout.prepare');
  const currency = await currencyOf(actor, wallet);
  return change(actor, of, (state) => ({ ...state, wallet, currency }));
}

/**
 * Ends a draft that is not wanted; the cells of its file are not kept.
 *
 * @throws Refusal as `lockDraft`
 */
export async function discardDraft(actor: Person, of: OfDraft): Promise<void> {
  assertMay(actor, 'payout.prepare');
  await inTransaction(actor.merchantId, async (tx) => {
    const row = await lockDraft(tx, actor, of);
    await tx.$executeRaw`
      UPDATE batches SET state = 'DISCARDED', source = '', edits = '{}', ticked = '{}',
        left_out = '[]', defaults = '{}', version = version + 1 WHERE id = ${row.id}::uuid`;
    await audit(tx, actor, 'batch.discarded', `batch:${row.id}`);
  });
}

type NextState = DraftState & Partial<Pick<BatchRow, 'shape' | 'wallet' | 'currency'>>;

/** Stores the next version of a draft that its maker changes. @throws Refusal as `lockDraft` */
export async function change(
  actor: Person,
  of: OfDraft,
  next: (state: DraftState, row: BatchRow, tx: Tx) => NextState | Promise<NextState>,
): Promise<Changed> {
  assertMay(actor, 'payout.prepare');
  return inTransaction(actor.merchantId, async (tx) => {
    const row = await lockDraft(tx, actor, of);
    return { version: await storeState(tx, row, await next(stateOf(row), row, tx)) };
  });
}

/** Stores the next version of a draft that the caller has locked. */
export async function storeState(tx: Tx, row: BatchRow, state: NextState): Promise<number> {
  const { choices, columns, defaults, edits, leftOut, ticked } = state;
  await tx.$executeRaw`
    UPDATE batches SET choices = ${JSON.stringify(choices)}::jsonb,
      columns = ${columns === null ? null : JSON.stringify(columns)}::jsonb,
      defaults = ${JSON.stringify(defaults)}::jsonb, edits = ${JSON.stringify(edits)}::jsonb,
      left_out = ${JSON.stringify(leftOut)}::jsonb, ticked = ${JSON.stringify(ticked)}::jsonb,
      shape = ${state.shape ?? row.shape}, wallet = ${state.wallet ?? row.wallet},
      currency = ${state.currency ?? row.currency}, version = version + 1
    WHERE id = ${row.id}::uuid`;
  return row.version + 1;
}

async function editCell(
  actor: Person,
  of: OfDraft,
  key: string,
  field: string,
  edit: () => Edit | null,
): Promise<Changed> {
  if (!isEditable(field)) throw new Refusal('not_found');
  return change(actor, of, (state, row) => {
    assertRow(row, key);
    const { [field]: _before, ...others } = state.edits[key] ?? {};
    const made = edit();
    const { [key]: _ticks, ...ticked } = state.ticked;
    // What was ticked was said of what stood there.
    return {
      ...state,
      edits: { ...state.edits, [key]: made === null ? others : { ...others, [field]: made } },
      ticked,
    };
  });
}

/** @throws Refusal `batch_row_gone` */
function assertRow(row: BatchRow, key: string): void {
  if (!tableOf(row).rows.some((one) => one.key === key)) throw new Refusal('batch_row_gone');
}
