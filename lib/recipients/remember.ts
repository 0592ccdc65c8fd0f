import 'server-only';
import type { Tx } from '#lib/runtime/db.ts';

/**
 * The payee of a movement: `number` is an IBAN or a wallet number, `taxNumber` is empty for kinds
 * without one.
 */
export type Payee = { number: string; name: string; taxNumber: string };

/**
 * Saves the payee in the transaction that stores the movement. A known number stays with its
 * recipient, under the name that people gave it; a new number goes to the recipient with that name
 * and tax number, or creates one. `usedAt`: when it was paid, if not now.
 */
export async function rememberPayee(
  tx: Tx,
  merchantId: string,
  { number, name, taxNumber }: Payee,
  usedAt: Date | null = null,
): Promise<void> {
  await tx.$executeRaw`
    WITH known AS (
      UPDATE recipients
        SET used_at = greatest(used_at, coalesce(${usedAt}::timestamptz, clock_timestamp()))
        WHERE id = (SELECT recipient_id FROM recipient_payees WHERE number = ${number}) RETURNING id
    ), named AS (
      INSERT INTO recipients (merchant_id, name, tax_number, used_at)
        SELECT ${merchantId}::uuid, ${name}, ${taxNumber},
          coalesce(${usedAt}::timestamptz, clock_timestamp())
          WHERE NOT EXISTS (SELECT FROM known)
      ON CONFLICT (merchant_id, name_fold, tax_number) DO UPDATE
        SET used_at = greatest(recipients.used_at, excluded.used_at)
      RETURNING id
    )
    INSERT INTO recipient_payees (merchant_id, recipient_id, number) SELECT ${merchantId}::uuid, id,
      ${number} FROM named ON CONFLICT DO NOTHING`;
}
