import 'server-only';
import { may, assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { columns, inOne, sql } from '#lib/runtime/db.ts';
import type { RowOf } from '#lib/runtime/db.ts';
import { maskIban } from '#lib/values/iban.ts';
import { toDecimal } from '#lib/values/money.ts';
import type { Returned, State } from '#lib/movements/state.ts';
import { maskTaxNumber } from '#lib/values/tax-number.ts';
import { besideOurs } from './match-status.ts';
import type { Beside } from './match-status.ts';
import type { Level } from './filter.ts';

/**
 * A withdraw request in full, beside our own payout if we made it. Amounts are decimal text, times
 * ISO; fields that the provider omitted are null.
 */
export type WithdrawalView = {
  requestId: string;
  extId: string | null;
  correlationId: string | null;
  level: Level;
  amount: string;
  currency: string;
  name: string | null;
  iban: string | null;
  taxNumber: string | null;
  toOwner: boolean;
  bankName: string | null;
  description: string | null;
  reason: string | null;
  wallet: string | null;
  accountNumber: string | null;
  accountType: string | null;
  createdAt: string;
  updatedAt: string | null;
  readAt: string;
  payout: {
    id: string;
    kind: string;
    name: string;
    amount: string;
    currency: string;
    state: State;
    returned: Returned;
  } | null;
  beside: Beside;
  /** The ids of our own ledger entries with this reference. */
  lines: string[];
  /** The record as received; null without the permission for payees' numbers. */
  raw: string | null;
  now: string;
};

const REQUEST = columns('withdraw_records', [
  'request_id',
  'level',
  'currency',
  'raw',
  'ext_id',
  'correlation_id',
  'name',
  'iban',
  'tax_number',
  'bank_name',
  'description',
  'reason',
  'wallet',
  'account_number',
  'account_type',
  'amount_minor',
  'created_at',
  'read_at',
  'updated_at',
  'to_owner',
]);
type Found = RowOf<typeof REQUEST, { level: Level }> & {
  movement_id: string | null;
  kind: string;
  payee: string;
  our_amount: bigint;
  our_currency: string;
  our_iban: string | null;
  state: State;
  returned: Returned;
  lines: string[];
  now: Date;
};

/** One request by the provider's number; null when the mirror has none with it. */
export async function viewWithdrawal(actor: Person, id: string): Promise<WithdrawalView | null> {
  assertMay(actor, 'movement.read');
  const [row] = await inOne<Found>(
    actor.merchantId,
    sql`
    SELECT ${REQUEST.of('w')}, m.id AS movement_id, m.kind, m.name AS payee, m.amount_minor AS our_amount,
      m.currency AS our_currency, nullif(m.iban, '') AS our_iban, m.state, m.returned,
      clock_timestamp() AS now,
      ARRAY(SELECT l.id FROM ledger_records l WHERE l.ext_id = w.ext_id OR l.id = w.correlation_id
        ORDER BY l.created_at, l.id LIMIT 10) AS lines
    FROM withdraw_records w LEFT JOIN movements m ON m.ext_id = w.ext_id WHERE w.request_id = ${id}`,
  );
  if (row === undefined) return null;
  const whole = may(actor.role, 'payee.read');
  const masked = (text: string | null, mask: (text: string) => string): string | null =>
    text === null || whole ? text : mask(text);
  const payout =
    row.movement_id === null
      ? null
      : {
          id: row.movement_id,
          kind: row.kind,
          name: row.payee,
          amount: toDecimal(row.our_amount),
          currency: row.our_currency,
          state: row.state,
          returned: row.returned,
        };
  // The bank's message may repeat what is masked.
  const reason =
    row.reason !== null && !whole
      ? [row.iban, row.tax_number].reduce<string>(
          (text, secret) =>
            secret === null || secret === '' ? text : text.replaceAll(secret, '…'),
          row.reason,
        )
      : row.reason;
  return {
    requestId: row.request_id,
    extId: row.ext_id,
    correlationId: row.correlation_id,
    level: row.level,
    amount: toDecimal(row.amount_minor),
    currency: row.currency,
    name: row.name,
    iban: masked(row.iban, maskIban),
    taxNumber: masked(row.tax_number, maskTaxNumber),
    toOwner: row.to_owner,
    bankName: row.bank_name,
    description: row.description,
    reason,
    wallet: row.wallet,
    accountNumber: row.account_number,
    accountType: row.account_type,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at?.toISOString() ?? null,
    readAt: row.read_at.toISOString(),
    payout,
    beside: besideOf(row),
    lines: row.lines,
    raw: whole ? row.raw : null,
    now: row.now.toISOString(),
  };
}

function besideOf(row: Found): Beside {
  const { level, currency, iban, state, returned } = row;
  return besideOurs(
    { level, amountMinor: row.amount_minor, currency, iban },
    row.movement_id === null
      ? null
      : {
          state,
          returned,
          amountMinor: row.our_amount,
          currency: row.our_currency,
          iban: row.our_iban,
        },
  );
}
