import { randomUUID } from 'node:crypto';
import type { ChargeRecord, RecordOutcome } from '#lib/providers/card/types.ts';
import type { TestMerchant } from '#lib/testing/database.ts';

/**
 * Card payments and the gateway's records of them for tests: a test names only the fields that
 * matter to it.
 */

/** A payment of the register with the given columns; 100.00 by default. */
export async function storedPayment(
  merchant: TestMerchant,
  columns: Record<string, unknown> = {},
): Promise<string> {
  const all: Record<string, unknown> = {
    merchant_id: merchant.merchantId,
    invoice_id: `F-${randomUUID()}`,
    source: 'notice',
    amount_minor: 10_000n,
    ...columns,
  };
  const names = Object.keys(all);
  const { rows } = await merchant.owner.query<{ id: string }>(
    `INSERT INTO card_payments (${names.join(', ')})
      VALUES (${names.map((_, n) => `$${n + 1}`).join(', ')}) RETURNING id`,
    Object.values(all).map((value) => (typeof value === 'bigint' ? value.toString() : value)),
  );
  return rows[0]!.id;
}

/** A charge made here with the given columns, sent `sentMinutes` ago; null: it was not sent. */
export async function madePayment(
  merchant: TestMerchant,
  sentMinutes: number | null,
  columns: Record<string, unknown> = {},
): Promise<string> {
  return storedPayment(merchant, {
    source: 'made_here',
    kind: 'non_secure',
    content: '{"bill":{}}',
    content_hash: randomUUID(),
    added_by: merchant.person('clerk').personId,
    sent_at: sentMinutes === null ? null : new Date(Date.now() - sentMinutes * 60_000),
    ...columns,
  });
}

export function aRecord(
  more: Partial<ChargeRecord> = {},
): Extract<RecordOutcome, { kind: 'found' }> {
  return {
    kind: 'found',
    raw: '{"made":"up"}',
    state: 'held',
    invoiceId: 'F-1',
    orderId: 'VP-1',
    transactionId: null,
    amountMinor: 10_000n,
    chargedMinor: null,
    refundedMinor: 0n,
    refunds: [],
    card: null,
    reason: null,
    settlesOn: null,
    installments: null,
    commissionMinor: null,
    buyerCommissionMinor: null,
    recurring: null,
    ...more,
  };
}
