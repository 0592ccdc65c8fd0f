import 'server-only';
import { columns } from '#lib/runtime/db.ts';
import type { RowOf } from '#lib/runtime/db.ts';
import { minor } from '#lib/values/money.ts';
import { personOf } from './row-content.ts';
import type { RowContent } from './row-content.ts';

/** A row of a submitted batch: what it pays, and the movement that it becomes. */
export type StoredRow = RowContent & {
  number: number;
  movementId: string;
  extId: string;
  retryOf: string | null;
  overrides: string[];
  overrideReason: string | null;
};

export const STORED_ROW = columns('batch_rows', [
  'n',
  'iban',
  'name',
  'tax_number',
  'amount_minor',
  'payment_type',
  'description',
  'overrides',
  'override_reason',
  'retry_of',
  'movement_id',
  'ext_id',
  'to_wallet',
  'found_by',
  'found_name',
]);

export type RawStoredRow = RowOf<typeof STORED_ROW, { overrides: string[] }>;

export function storedRowOf(row: RawStoredRow): StoredRow {
  return {
    number: row.n,
    iban: row.iban,
    name: row.name,
    taxNumber: row.tax_number,
    amountMinor: minor(row.amount_minor),
    paymentType: row.payment_type,
    description: row.description,
    ...personOf(row),
    overrides: row.overrides,
    overrideReason: row.override_reason,
    retryOf: row.retry_of,
    movementId: row.movement_id,
    extId: row.ext_id,
  };
}
