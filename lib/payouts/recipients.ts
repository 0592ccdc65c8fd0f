import 'server-only';
import { require } from '#lib/actor.ts';
import type { Person } from '#lib/actor.ts';
import { inTransaction } from '#lib/db.ts';
import type { Tx } from '#lib/db.ts';
import { checkIban } from '#lib/iban.ts';
import { toDecimal } from '#lib/money.ts';
import { readSearch } from './filter.ts';

const LOOKED_AT = 300;
const OFFERED = 8;

/** Somebody who was paid before: nobody keeps a book of payees for us, so our own payouts are it. Amounts are decimal text. */
export type KnownRecipient = { iban: string; name: string; taxNumber: string; bankName: string | null; lastAmount: string; currency: string; lastAt: string };

/** Who was paid last, newest first; with `text`, whose name or IBAN holds it. */
export async function knownRecipients(actor: Person, text: string): Promise<KnownRecipient[]> {
  require(actor, 'payout.prepare');
  return inTransaction(actor.merchantId, async (tx) => recipientsOf(await paidRows(tx, text)));
}

/** The wallet this person paid from last; null before the first time. */
export async function lastUsedWallet(actor: Person): Promise<string | null> {
  require(actor, 'payout.prepare');
  const rows = await inTransaction(actor.merchantId, (tx) => tx.$queryRaw<{ wallet: string }[]>`
    SELECT wallet FROM movements WHERE rail = 'payout' AND maker_id = ${actor.personId}::uuid ORDER BY created_at DESC LIMIT 1`);
  return rows[0]?.wallet ?? null;
}

type PaidRow = { iban: string; name: string; tax_number: string; amount_minor: bigint; currency: string; created_at: Date };

async function paidRows(tx: Tx, text: string): Promise<PaidRow[]> {
  const search = readSearch(text.trim().slice(0, 60));
  const name = search === null || search.name === '' ? null : `%${search.name.replace(/[\\%_]/g, '\\$&')}%`;
  const iban = search?.iban ? `%${search.iban}%` : null;
  return tx.$queryRaw<PaidRow[]>`
    SELECT iban, name, tax_number, amount_minor, currency, created_at FROM movements
    WHERE rail = 'payout' AND state IN ('PENDING', 'MANUAL_REVIEW', 'COMPLETED')
      AND (${search === null} OR name_fold LIKE ${name} OR iban LIKE ${iban})
    ORDER BY created_at DESC LIMIT ${LOOKED_AT}`;
}

function recipientsOf(rows: PaidRow[]): KnownRecipient[] {
  const byIban = new Map<string, PaidRow>();
  for (const row of rows) if (!byIban.has(row.iban)) byIban.set(row.iban, row);
  return [...byIban.values()].slice(0, OFFERED).map((row) => {
    const check = checkIban(row.iban);
    return {
      iban: row.iban, name: row.name, taxNumber: row.tax_number, bankName: check.kind === 'ok' ? check.bankName : null,
      lastAmount: toDecimal(row.amount_minor), currency: row.currency, lastAt: row.created_at.toISOString(),
    };
  });
}
