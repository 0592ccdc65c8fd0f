import 'server-only';
import { may } from '#lib/access/actor.ts';
import { inOne, inTransaction, sql } from '#lib/runtime/db.ts';
import type { Column, RowPage, Scope, Source } from '#lib/exports/source.ts';
import { maskIban } from '#lib/values/iban.ts';
import { matchMovements } from '#lib/readings/match-movements.ts';
import { maskTaxNumber } from '#lib/values/tax-number.ts';
import { readPayoutQuery } from './filter.ts';
import type { State } from '#lib/movements/state.ts';
import type { PayoutFilter, PayoutPart } from './filter.ts';
import { payoutConditions } from './conditions.ts';
import { payoutOrder } from './list.ts';

/**
 * The list of payouts as rows of an export: the same conditions and order as on the screen. The
 * sort columns of a payout never change, so no row appears on two pages even when payouts change
 * between them.
 */

const COLUMNS = [
  { key: 'reference', kind: 'text', width: 24 },
  { key: 'created_at', kind: 'instant', width: 20 },
  { key: 'recipient', kind: 'text', width: 32 },
  { key: 'iban', kind: 'text', width: 30 },
  { key: 'tax_number', kind: 'text', width: 14 },
  { key: 'wallet', kind: 'text', width: 14 },
  { key: 'amount', kind: 'minor', width: 16 },
  { key: 'currency', kind: 'text', width: 8 },
  { key: 'fee', kind: 'minor', width: 10 },
  { key: 'state', kind: 'code', width: 22 },
  { key: 'payment_type', kind: 'text', width: 8 },
  { key: 'description', kind: 'text', width: 32 },
  { key: 'prepared_by', kind: 'text', width: 20 },
  { key: 'accepted_at', kind: 'instant', width: 20 },
  { key: 'ended_at', kind: 'instant', width: 20 },
  { key: 'returned_at', kind: 'instant', width: 20 },
  { key: 'request_id', kind: 'text', width: 22 },
  { key: 'transaction_id', kind: 'text', width: 22 },
  { key: 'reason_code', kind: 'text', width: 10 },
  { key: 'reason', kind: 'text', width: 32 },
] as const satisfies readonly Column[];
const IBAN = COLUMNS.findIndex(({ key }) => key === 'iban');
const TAX_NUMBER = COLUMNS.findIndex(({ key }) => key === 'tax_number');
const REASON = COLUMNS.findIndex(({ key }) => key === 'reason');

/** The cells of a row, in the order of the columns; the edge for the next page comes last. */
const CELLS = sql`
  m.ext_id, m.created_at, m.name, m.iban, m.tax_number, m.wallet, m.amount_minor, m.currency,
  m.fee_minor,
  CASE WHEN m.state = 'COMPLETED' AND m.returned = 'CONFIRMED' THEN 'RETURNED'
    WHEN m.state = 'COMPLETED' AND m.returned = 'REPORTED' THEN 'RETURN_REPORTED'
    ELSE m.state END,
  m.payment_type, m.description, p.name, m.accepted_at, m.ended_at, m.returned_at,
  m.request_id, m.transaction_id, m.reason_code, m.reason_text`;

/** The part of the list's totals for each code of the column `state`, as `movement_part` has it. */
export const PART_OF_STATE: Readonly<Record<State | 'RETURNED' | 'RETURN_REPORTED', PayoutPart>> = {
  DRAFT: 'pending',
  AWAITING_APPROVAL: 'pending',
  APPROVED: 'pending',
  SUBMITTING: 'pending',
  PENDING: 'pending',
  UNKNOWN: 'unknown',
  MANUAL_REVIEW: 'unknown',
  RETURN_REPORTED: 'unknown',
  COMPLETED: 'paid',
  RETURNED: 'returned',
  REJECTED: 'unpaid',
  FAILED: 'unpaid',
  CANCELLED: 'unpaid',
  EXPIRED: 'unpaid',
};

export const payoutSource: Source<PayoutFilter> = {
  columns: COLUMNS,
  sum: {
    amount: 'amount',
    currency: 'currency',
    part: { column: 'state', of: (code) => PART_OF_STATE[code as keyof typeof PART_OF_STATE] },
  },
  readFilter: (address) => readPayoutQuery(Object.fromEntries(new URLSearchParams(address))).filter,
  count: async (scope) => {
    const [row] = await inOne<{ count: number }>(
      scope.merchantId,
      sql`SELECT count(*)::int AS count FROM movements m WHERE ${await conditionsOf(scope)}`,
    );
    return row!.count;
  },
  page: readPage,
};

async function readPage(
  scope: Scope<PayoutFilter>,
  after: string | null,
  rows: number,
): Promise<RowPage> {
  const { edge, beyond, order } = payoutOrder(
    scope.filter,
    after === null ? null : { side: 'after', edge: after },
  );
  const conditions = await conditionsOf(scope);
  const found = await inTransaction(
    scope.merchantId,
    (tx) => tx.$queryText`
    SELECT ${CELLS}, m.id || '_' || ${edge} FROM movements m JOIN people p ON p.id = m.maker_id
    WHERE ${conditions} AND ${beyond} ORDER BY ${order} LIMIT ${rows}`,
  );
  const next = found.length < rows ? null : (found.at(-1)?.[COLUMNS.length] ?? null);
  if (!may(scope.role, 'payee.read')) for (const row of found) mask(row);
  return { rows: found, next };
}

/**
 * The conditions of the export: it has only payouts made before it was requested, so that it ends.
 */
async function conditionsOf(scope: Scope<PayoutFilter>): Promise<ReturnType<typeof sql>> {
  const { filter, asOf } = scope;
  const found = await matchMovements(scope, filter.text);
  const conditions = payoutConditions(scope, filter, 'payouts', found);
  return sql`${conditions} AND m.created_at <= ${asOf}::timestamptz`;
}

/**
 * Masks a row as on screen for people who may not see a payee's numbers; the bank's text may
 * contain these numbers too.
 */
function mask(row: (string | null)[]): void {
  const [iban, taxNumber] = [row[IBAN]!, row[TAX_NUMBER]!];
  row[IBAN] = maskIban(iban);
  row[TAX_NUMBER] = maskTaxNumber(taxNumber);
  row[REASON] =
    row[REASON]?.replaceAll(iban, row[IBAN]).replaceAll(taxNumber, row[TAX_NUMBER]) ?? null;
}
