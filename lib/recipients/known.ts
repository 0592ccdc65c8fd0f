import 'server-only';
import { assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { inOne, sql } from '#lib/runtime/db.ts';
import type { Prisma } from '#lib/runtime/db.ts';
import { checkIban } from '#lib/values/iban.ts';
import { toDecimal } from '#lib/values/money.ts';
import { recipientMatches } from './search.ts';

const OFFERED = 8;
const TEXT_MAX = 60;

/**
 * An account that a payout form offers. Amounts are decimal text; `last` is the latest payout that
 * the provider accepted.
 */
export type KnownRecipient = {
  payeeId: string;
  iban: string;
  name: string;
  taxNumber: string;
  bankName: string | null;
  last: { amount: string; currency: string; paymentType: string; at: string } | null;
};

/**
 * Saved recipients with a bank account, the last used first; with `text`, those whose name or IBAN
 * contains it. Archived ones are not offered.
 */
export async function knownRecipients(actor: Person, text: string): Promise<KnownRecipient[]> {
  assertMay(actor, 'payout.prepare');
  return read(
    actor,
    sql`r.archived_at IS NULL AND p.archived_at IS NULL AND ${recipientMatches(actor, text.trim().slice(0, TEXT_MAX))}`,
  );
}

/**
 * One recipient account, for a link that opens the prefilled form; null when it does not exist or
 * may no longer be paid.
 */
export async function knownPayee(actor: Person, payeeId: string): Promise<KnownRecipient | null> {
  assertMay(actor, 'payout.prepare');
  return (
    (
      await read(
        actor,
        sql`r.archived_at IS NULL AND p.archived_at IS NULL AND p.id = ${payeeId}::uuid`,
      )
    )[0] ?? null
  );
}

type Row = {
  id: string;
  number: string;
  name: string;
  tax_number: string;
  amount_minor: bigint | null;
  currency: string | null;
  payment_type: string | null;
  at: Date | null;
};

async function read(actor: Person, condition: Prisma.Sql): Promise<KnownRecipient[]> {
  const rows = await inOne<Row>(
    actor.merchantId,
    sql`
    WITH offered AS (
      SELECT p.id, p.number, p.created_at, r.name, r.tax_number, r.used_at FROM recipients r
        JOIN recipient_payees p ON p.recipient_id = r.id
      WHERE p.number LIKE 'TR%' AND ${condition} ORDER BY r.used_at DESC, r.id DESC,
        p.created_at DESC LIMIT ${OFFERED})
    SELECT o.id, o.number, o.name, o.tax_number, last.amount_minor, last.currency, last.payment_type,
      last.created_at AS at
    FROM offered o LEFT JOIN LATERAL (
      SELECT m.amount_minor, m.currency, m.payment_type, m.created_at FROM movements m
      WHERE m.iban = o.number AND m.kind IN ('payout', 'cashout')
        AND m.state IN ('PENDING', 'MANUAL_REVIEW', 'COMPLETED') ORDER BY m.created_at DESC
        LIMIT 1) last ON TRUE
    ORDER BY o.used_at DESC, o.created_at DESC`,
  );
  return rows.map((row) => {
    const check = checkIban(row.number);
    return {
      payeeId: row.id,
      iban: row.number,
      name: row.name,
      taxNumber: row.tax_number,
      bankName: check.kind === 'ok' ? check.bankName : null,
      last:
        row.amount_minor === null
          ? null
          : {
              amount: toDecimal(row.amount_minor),
              currency: row.currency!,
              paymentType: row.payment_type!,
              at: row.at!.toISOString(),
            },
    };
  });
}
