import 'server-only';
import { sql } from '#lib/runtime/db.ts';
import type { Prisma, Tx } from '#lib/runtime/db.ts';
import type { DayRange } from '#lib/values/dates.ts';
import { daysRange } from '#lib/values/dates.ts';
import { env } from '#lib/runtime/env.ts';
import { checkIban } from '#lib/values/iban.ts';
import { checkTaxNumber } from '#lib/values/tax-number.ts';
import { readRecipientFields } from './schema.ts';

/**
 * A payee of the provider's completed withdraw requests whose account is not saved. `taxNumber` is
 * empty when no record of this account under this name has a valid one.
 */
export type PaidPayee = {
  iban: string;
  name: string;
  taxNumber: string;
  count: number;
  lastAt: Date;
  sums: { minor: bigint; currency: string }[];
};

/** Accounts that cannot be saved, by the first reason that applies. */
export type Skipped = { iban: number; name: number; archived: number };

/**
 * The payees that can be saved, the last paid first. A record counts only when its request was
 * completed; IBANs are compared without separators.
 */
export async function readPaidPayees(
  tx: Tx,
  days: DayRange,
): Promise<{ payees: PaidPayee[]; skipped: Skipped }> {
  const rows = await tx.$queryRaw<Found[]>(paidAccounts(days));
  const payees: PaidPayee[] = [];
  const skipped: Skipped = { iban: 0, name: 0, archived: 0 };
  for (const row of rows) {
    const check = checkIban(row.iban);
    const fields = readRecipientFields(row.name ?? '', '');
    if (check.kind === 'error') skipped.iban += 1;
    else if (fields.kind === 'error') skipped.name += 1;
    else if (row.archived) skipped.archived += 1;
    else payees.push({ ...toPayee(row), iban: check.iban, name: fields.value.name });
  }
  return { payees, skipped };
}

type Found = {
  iban: string;
  name: string | null;
  /** Those that have the length of one, the latest first. */
  tax_numbers: string[] | null;
  count: number;
  last_at: Date;
  sums: { minor: string; currency: string }[];
  archived: boolean;
};

function toPayee(row: Found): Omit<PaidPayee, 'iban' | 'name'> {
  const valid = (row.tax_numbers ?? []).map(checkTaxNumber).find(({ kind }) => kind === 'ok');
  return {
    taxNumber: valid?.kind === 'ok' ? valid.value : '',
    count: row.count,
    lastAt: row.last_at,
    sums: row.sums.map(({ minor, currency }) => ({ minor: BigInt(minor), currency })),
  };
}

/**
 * Of several names of an account the latest one counts. A name with an asterisk is a masked one,
 * which the bank would not find. Tax numbers come from records with that very name; an account whose
 * name and any of them are an archived recipient's is not offered.
 */
function paidAccounts(days: DayRange): Prisma.Sql {
  const range = daysRange(days, env().timeZone);
  return sql`
    WITH paid AS MATERIALIZED (
      SELECT upper(regexp_replace(w.iban, '[^0-9A-Za-z]', '', 'g')) AS iban, w.name, w.name_fold,
        w.tax_number, w.amount_minor, w.currency, w.created_at, w.request_id
      FROM withdraw_records w
      WHERE w.level = 'completed' AND w.iban <> ''
        AND w.created_at >= ${range.from}::timestamptz AND w.created_at < ${range.to}::timestamptz
    ), sums AS (
      SELECT iban, currency, count(*)::int AS count, sum(amount_minor) AS minor,
        max(created_at) AS last_at
      FROM paid GROUP BY iban, currency
    ), accounts AS (
      SELECT iban, sum(count)::int AS count, max(last_at) AS last_at,
        jsonb_agg(jsonb_build_object('minor', minor::text, 'currency', currency)
          ORDER BY count DESC, currency) AS sums
      FROM sums GROUP BY iban
    ), named AS (
      SELECT DISTINCT ON (iban) iban, name, name_fold FROM paid
      WHERE btrim(name) <> '' AND name !~ '[*•]' ORDER BY iban, created_at DESC, request_id DESC
    ), taxed AS (
      SELECT p.iban, array_agg(p.tax_number ORDER BY p.created_at DESC, p.request_id DESC) AS numbers
      FROM paid p JOIN named n ON n.iban = p.iban AND n.name_fold = p.name_fold
      WHERE p.tax_number ~ '^[0-9]{10,11}$' GROUP BY p.iban)
    SELECT a.iban, n.name, t.numbers AS tax_numbers, a.count, a.last_at, a.sums,
      EXISTS (SELECT FROM recipients r WHERE r.archived_at IS NOT NULL AND r.name_fold = n.name_fold
        AND (r.tax_number = '' OR t.numbers IS NULL OR r.tax_number = ANY(t.numbers))) AS archived
    FROM accounts a LEFT JOIN named n ON n.iban = a.iban LEFT JOIN taxed t ON t.iban = a.iban
    WHERE NOT EXISTS (SELECT FROM recipient_payees p WHERE p.number = a.iban)
    ORDER BY a.last_at DESC, a.iban`;
}
