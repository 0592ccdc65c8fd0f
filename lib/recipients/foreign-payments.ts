import 'server-only';
import { payeeHashes } from '#lib/begin-check/journal-entry.ts';
import type { ForeignPayment } from '#lib/payment-checks/findings.ts';
import { sql } from '#lib/runtime/db.ts';
import type { Row, Tx } from '#lib/runtime/db.ts';

/** What is known of a foreign payment beside its payee. */
export type ForeignPart = Omit<ForeignPayment, 'iban'>;

/** As the provider wrote it, an IBAN may be grouped or in small letters. */
const COLUMNS = { iban: sql`upper(replace(iban, ' ', ''))`, wallet: sql`to_wallet` };

/**
 * The payments to these accounts or wallets that only the provider, or the send journal, remembers
 * after a restore; the latest first, by payee.
 */
export async function readForeignPayments(
  tx: Tx,
  payees: readonly string[],
  are: 'iban' | 'wallet',
): Promise<Map<string, ForeignPart[]>> {
  // A send journal entry has only the hash of its payee.
  const payeeOf = new Map(payees.flatMap((one) => payeeHashes(one).map((hash) => [hash, one])));
  const rows = await tx.$queryRaw<
    (Row<'recovered_records', 'payee_hash' | 'amount_minor' | 'currency'> & {
      payee: string | null;
      at: Date;
      seen: boolean;
    })[]
  >`
    SELECT ${COLUMNS[are]} AS payee, payee_hash, amount_minor, currency,
      coalesce(made_at, seen_at) AS at, acknowledged_at IS NOT NULL AS seen FROM recovered_records
    WHERE (${COLUMNS[are]} = ANY(${payees}::text[])
        OR payee_hash = ANY(${[...payeeOf.keys()]}::text[]))
      AND finding = 'foreign' AND level NOT IN ('rejected', 'failed') ORDER BY made_at DESC`;
  const found = new Map<string, ForeignPart[]>();
  for (const row of rows) {
    const payee = payeeOf.get(row.payee_hash ?? '') ?? row.payee ?? '';
    const { amount_minor: amountMinor, currency, seen } = row;
    const part = { amountMinor, currency, at: row.at.toISOString(), seen };
    found.set(payee, [...(found.get(payee) ?? []), part]);
  }
  return found;
}
