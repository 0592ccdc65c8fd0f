import 'server-only';
import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import type { Person } from '#lib/access/actor.ts';
import { Refusal } from '#lib/access/refusal.ts';
import { columns } from '#lib/runtime/db.ts';
import type { RowOf, Tx } from '#lib/runtime/db.ts';
import { UUID } from '#lib/values/uuid.ts';
import type { SourceFile } from '../file/source.ts';
import { draftTable } from './draft-table.ts';
import type { DraftTable } from './draft-table.ts';
import type { ChosenColumns, Defaults, DraftChoices, DraftState, Edits, Ticks } from './stored.ts';

/** A batch as it is stored, and its rows as they follow from it. */

const COLUMNS = columns('batches', [
  'id',
  'maker_id',
  'wallet',
  'currency',
  'name',
  'format',
  'shape',
  'file_hash',
  'source',
  'choices',
  'columns',
  'defaults',
  'edits',
  'left_out',
  'ticked',
  'state',
  'version',
  'parent_id',
  'from_id',
  'created_at',
  'changed_at',
]);

export type BatchState = 'DRAFT' | 'SUBMITTED' | 'DISCARDED';
export type BatchFormat = 'workbook' | 'text' | 'paste' | 'earlier';
export type BatchRow = RowOf<
  typeof COLUMNS,
  {
    format: BatchFormat;
    choices: DraftChoices;
    columns: ChosenColumns | null;
    defaults: Defaults;
    edits: Edits;
    left_out: string[];
    ticked: Ticks;
    state: BatchState;
  }
>;

/** Null when this merchant has no such batch. */
export async function readBatch(tx: Tx, id: string): Promise<BatchRow | null> {
  if (!UUID.test(id)) return null;
  const [row] = await tx.$queryRaw<BatchRow[]>`
    SELECT ${COLUMNS} FROM batches WHERE id = ${id}::uuid`;
  return row ?? null;
}

/**
 * The draft that its maker changes, locked. Only the maker changes a draft: whoever changed one
 * could otherwise approve it.
 *
 * @throws Refusal `not_found`, `batch_of_other`, `batch_not_draft`, `batch_changed`
 */
export async function lockDraft(
  tx: Tx,
  actor: Person,
  { id, version }: { id: string; version: number },
): Promise<BatchRow> {
  if (!UUID.test(id)) throw new Refusal('not_found');
  const [row] = await tx.$queryRaw<BatchRow[]>`
    SELECT ${COLUMNS} FROM batches WHERE id = ${id}::uuid FOR NO KEY UPDATE`;
  if (row === undefined) throw new Refusal('not_found');
  if (row.maker_id !== actor.personId) throw new Refusal('batch_of_other');
  if (row.state !== 'DRAFT') throw new Refusal('batch_not_draft');
  if (row.version !== version) throw new Refusal('batch_changed');
  return row;
}

export function stateOf(row: BatchRow): DraftState {
  const { choices, columns: chosen, defaults, edits, left_out: leftOut, ticked } = row;
  return { choices, columns: chosen, defaults, edits, leftOut, ticked };
}

export function sourceOf({ source }: Pick<BatchRow, 'source'>): SourceFile {
  return JSON.parse(gunzipSync(source).toString('utf8')) as SourceFile;
}

/** Tables computed last. */
const KEPT_MAX = 3;
const kept = new Map<string, DraftTable>();
const keys = new WeakMap<BatchRow, string>();

/**
 * Names a version by what it says: a database that was restored, or lost its last seconds with its
 * primary, gives a number again.
 */
function keyOf(row: BatchRow): string {
  let key = keys.get(row);
  if (key === undefined) {
    const said = JSON.stringify([row.currency, stateOf(row)]);
    key = `${row.id}:${row.version}:${createHash('sha256').update(said).digest('base64url')}`;
    keys.set(row, key);
  }
  return key;
}

/** The rows of a stored draft. */
export function tableOf(row: BatchRow): DraftTable {
  const key = keyOf(row);
  const known = kept.get(key);
  if (known !== undefined) return known;
  const table = draftTable(sourceOf(row), stateOf(row), row.currency);
  kept.set(key, table);
  for (const old of kept.keys()) if (kept.size > KEPT_MAX) kept.delete(old);
  return table;
}
