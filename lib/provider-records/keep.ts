import 'server-only';
import { sql } from '#lib/runtime/db.ts';
import type { Prisma } from '#lib/runtime/db.ts';
import type { Transaction, Withdrawal } from '#lib/providers/wallet/types.ts';
import { storable } from '#lib/runtime/stored-text.ts';
import { ledgerInstant } from '#lib/values/ledger-instant.ts';

/**
 * Turns records of the provider into rows of the mirror, many rows in one statement.
 */

type Columns<Row> = Record<string, (row: Row) => unknown>;

const digits = (minor: bigint | null): string | null => minor?.toString() ?? null;

const LEDGER: Columns<Transaction> = {
  id: (row) => row.transactionId,
  type_id: (row) => row.typeId,
  type: (row) => row.type,
  status_id: (row) => row.statusId,
  status: (row) => row.status,
  result_code: (row) => row.resultCode,
  direction: (row) => row.direction,
  amount_minor: (row) => digits(row.amountMinor),
  fee_minor: (row) => digits(row.feeMinor),
  total_minor: (row) => digits(row.totalMinor),
  received_minor: (row) => digits(row.receivedMinor),
  receiver_fee_minor: (row) => digits(row.receiverFeeMinor),
  currency: (row) => row.currency,
  ext_id: (row) => row.extId,
  group_id: (row) => row.groupId,
  refers_to: (row) => row.refersTo,
  from_wallet: (row) => row.fromWallet,
  to_wallet: (row) => row.toWallet,
  from_account: (row) => row.fromAccount,
  to_account: (row) => row.toAccount,
  description: (row) => row.description,
  from_description: (row) => row.fromDescription,
  to_description: (row) => row.toDescription,
  receipt_number: (row) => row.receiptNumber,
  channel: (row) => row.channel,
  source: (row) => row.source,
  sender_name: (row) => row.topUp?.senderName ?? null,
  sender_iban: (row) => row.topUp?.senderIban ?? null,
  top_up: (row) => row.topUp,
  posted: (row) => row.posted,
  posted_at: (row) => ledgerInstant(row.postedAt),
  created_at: (row) => ledgerInstant(row.createdAt),
  updated_at: (row) => ledgerInstant(row.updatedAt),
  completed_at: (row) => ledgerInstant(row.completedAt),
  raw: (row) => JSON.stringify(row.raw),
};

const WITHDRAWALS: Columns<Withdrawal> = {
  request_id: (row) => row.requestId,
  ext_id: (row) => row.extId,
  correlation_id: (row) => row.correlationId,
  wallet: (row) => row.wallet,
  account_type: (row) => row.accountType,
  account_number: (row) => row.accountNumber,
  level: (row) => row.level,
  amount_minor: (row) => digits(row.amountMinor),
  currency: (row) => row.currency,
  iban: (row) => row.iban,
  name: (row) => row.name,
  tax_number: (row) => row.taxNumber,
  to_owner: (row) => row.toOwner,
  bank_name: (row) => row.bankName,
  description: (row) => row.description,
  reason: (row) => row.reason,
  created_at: (row) => ledgerInstant(row.createdAt),
  updated_at: (row) => ledgerInstant(row.updatedAt),
  raw: (row) => JSON.stringify(row.raw),
};

/**
 * Writes ledger entries as received at `heardAt`. A row that is unchanged, or that another reading
 * received later, is not written. Returns a row for each one written.
 */
export function keptTransactions(
  merchantId: string,
  rows: readonly Transaction[],
  receivedAt: Date,
): Prisma.Sql {
  return kept('ledger_records', 'id', LEDGER, merchantId, rows, receivedAt);
}

/** As `keptTransactions`, for withdraw requests. */
export function keptWithdrawals(
  merchantId: string,
  rows: readonly Withdrawal[],
  receivedAt: Date,
): Prisma.Sql {
  return kept('withdraw_records', 'request_id', WITHDRAWALS, merchantId, rows, receivedAt);
}

/** All rows as one JSON value: one statement per page, whose text is always the same. */
function kept<Row>(
  table: 'ledger_records' | 'withdraw_records',
  key: string,
  columns: Columns<Row>,
  merchantId: string,
  rows: readonly Row[],
  receivedAt: Date,
): Prisma.Sql {
  const names = Object.keys(columns);
  const readers = Object.values(columns);
  // A page may list a record twice, and one statement may write it only once. The later one counts.
  const byKey = new Map(
    rows.map((row) => [
      columns[key]!(row),
      Object.fromEntries(readers.map((read, index) => [names[index]!, read(row)])),
    ]),
  );
  const text = textOf([...byKey.values()]);
  const { all, from, to } = (WORDS[table] ??= wordsOf(names, key));
  return sql(
    [
      `INSERT INTO ${table} (merchant_id, ${all}, first_read_at, read_at) SELECT `,
      `::uuid, ${from}, `,
      `, `,
      ` FROM json_populate_recordset(NULL::${table}, `,
      `::json) r ON CONFLICT (merchant_id, ${key}) DO UPDATE SET ${to}, read_at = excluded.read_at
        WHERE ${table}.raw <> excluded.raw AND ${table}.read_at <= excluded.read_at
        RETURNING 1 AS written`,
    ],
    merchantId,
    receivedAt,
    receivedAt,
    text,
  );
}

/**
 * Texts that PostgreSQL cannot store are rare, and cleaning value by value costs as much as all the
 * rest: check the whole JSON text first.
 */
function textOf(rows: readonly Record<string, unknown>[]): string {
  const text = JSON.stringify(rows);
  return /\\u(?:0000|d[89a-f])/i.test(text)
    ? JSON.stringify(rows, (_name, value: unknown) =>
        typeof value === 'string' ? storable(value) : value,
      )
    : text;
}

const WORDS: Partial<Record<string, { all: string; from: string; to: string }>> = {};

function wordsOf(names: readonly string[], key: string): { all: string; from: string; to: string } {
  return {
    all: names.join(', '),
    from: names.map((name) => `r.${name}`).join(', '),
    to: names
      .filter((name) => name !== key)
      .map((name) => `${name} = excluded.${name}`)
      .join(', '),
  };
}
