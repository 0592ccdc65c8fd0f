import 'server-only';
import { may } from '#lib/access/actor.ts';
import { inTransaction, sql } from '#lib/runtime/db.ts';
import type { Column, RowPage, Scope, Source } from '#lib/exports/source.ts';
import { maskIban } from '#lib/values/iban.ts';
import { maskTaxNumber } from '#lib/values/tax-number.ts';
import { readWithdrawalQuery } from './filter.ts';
import type { WithdrawalFilter } from './filter.ts';
import { withdrawalConditions, withdrawalOrder } from './list.ts';

/**
 * The report of withdraw requests as rows of an export: the same conditions and order as on the
 * screen. A request's creation time and amount never change.
 */

const COLUMNS = [
  { key: 'request_id', kind: 'text', width: 22 },
  { key: 'reference', kind: 'text', width: 24 },
  { key: 'created_at', kind: 'instant', width: 20 },
  { key: 'recipient', kind: 'text', width: 32 },
  { key: 'iban', kind: 'text', width: 30 },
  { key: 'tax_number', kind: 'text', width: 14 },
  { key: 'wallet', kind: 'text', width: 14 },
  { key: 'amount', kind: 'minor', width: 16 },
  { key: 'currency', kind: 'text', width: 8 },
  { key: 'level', kind: 'code', width: 16 },
  { key: 'ours', kind: 'code', width: 22 },
  { key: 'bank', kind: 'text', width: 24 },
  { key: 'description', kind: 'text', width: 32 },
  { key: 'reason', kind: 'text', width: 32 },
  { key: 'updated_at', kind: 'instant', width: 20 },
  { key: 'transaction_id', kind: 'text', width: 22 },
] as const satisfies readonly Column[];
const at = (name: (typeof COLUMNS)[number]['key']): number =>
  COLUMNS.findIndex(({ key }) => key === name);
const [IBAN, TAX_NUMBER, REASON] = [at('iban'), at('tax_number'), at('reason')];
/**
 * A stored query string always has its days; no other part of the filter depends on the current
 * time or the language.
 */
const NO_MOMENT = '1970-01-01T00:00:00Z';

/** The cells of a row, in the order of the columns; the place after the row comes last. */
const CELLS = sql`
  w.request_id, w.ext_id, w.created_at, w.name, w.iban, w.tax_number, w.wallet, w.amount_minor, w.currency, w.level,
  CASE WHEN m.id IS NULL THEN 'NOT_OURS'
    WHEN m.state = 'COMPLETED' AND m.returned = 'CONFIRMED' THEN 'RETURNED'
    WHEN m.state = 'COMPLETED' AND m.returned = 'REPORTED' THEN 'RETURN_REPORTED'
    ELSE m.state END,
  w.bank_name, w.description, w.reason, w.updated_at, w.correlation_id`;

export const withdrawalSource: Source<WithdrawalFilter> = {
  columns: COLUMNS,
  sum: {
    amount: 'amount',
    currency: 'currency',
    part: { column: 'level', of: (level) => level },
  },
  readFilter: (address) =>
    readWithdrawalQuery(Object.fromEntries(new URLSearchParams(address)), NO_MOMENT, 'en').filter,
  count: async (scope) => {
    const [row] = await inTransaction(
      scope.merchantId,
      (tx) =>
        tx.$queryRaw<
          [{ count: number }]
        >`SELECT count(*)::int AS count FROM withdraw_records w WHERE ${conditionsOf(scope)}`,
    );
    return row.count;
  },
  page: readPage,
};

async function readPage(
  scope: Scope<WithdrawalFilter>,
  after: string | null,
  rows: number,
): Promise<RowPage> {
  const { edge, beyond, order } = withdrawalOrder(
    scope.filter,
    after === null ? null : { side: 'after', edge: after },
  );
  const found = await inTransaction(
    scope.merchantId,
    (tx) => tx.$queryText`
    SELECT ${CELLS}, ${edge} FROM withdraw_records w LEFT JOIN movements m ON m.ext_id = w.ext_id
    WHERE ${conditionsOf(scope)} AND ${beyond} ORDER BY ${order} LIMIT ${rows}`,
  );
  const next = found.length < rows ? null : (found.at(-1)?.[COLUMNS.length] ?? null);
  if (!may(scope.role, 'payee.read')) for (const row of found) mask(row);
  return { rows: found, next };
}

/**
 * Excludes requests first read after the export was requested: new ones could keep it from ever
 * ending.
 */
function conditionsOf({ filter, role, asOf }: Scope<WithdrawalFilter>): ReturnType<typeof sql> {
  return sql`${withdrawalConditions({ role }, filter)} AND w.first_read_at <= ${asOf}::timestamptz`;
}

/**
 * Masks as on the screens without the permission for payees' numbers; the bank's message may repeat
 * them.
 */
function mask(row: (string | null)[]): void {
  for (const [cell, masked] of [
    [IBAN, maskIban],
    [TAX_NUMBER, maskTaxNumber],
  ] as const) {
    const text = row[cell];
    if (text == null || text === '') continue;
    row[cell] = masked(text);
    row[REASON] = row[REASON]?.replaceAll(text, row[cell]) ?? null;
  }
}
