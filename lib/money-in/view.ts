import 'server-only';
import { may, assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { inOne, sql } from '#lib/runtime/db.ts';
import type { Row } from '#lib/runtime/db.ts';
import { toDecimal } from '#lib/values/money.ts';
import { ANNOUNCED, ARRIVED, topUpRow } from './list.ts';
import type { FoundTopUp, TopUpRow } from './list.ts';

/** One top-up in full, with the observations of both its sources. */
export type TopUpView = TopUpRow & {
  announcedAt: string | null;
  /** The webhook's values when one that it names differs from the ledger's; null when none does. */
  announcedElse: { amount: string | null; currency: string | null; wallet: string | null } | null;
  seenAt: string | null;
  completedAt: string | null;
  bankReceiptNo: string | null;
  receiverIban: string | null;
  senderTaxNumber: string | null;
  status: string | null;
  /** The records as received, as JSON text; null without the permission for payees' numbers. */
  raw: { ledger: string | null; notice: string | null } | null;
  noticeId: string | null;
};

type Found = FoundTopUp & {
  [C in 'announced_at' | 'notice_id']: Row<'announced_top_ups', C>[C] | null;
} & {
  [C in 'first_read_at' | 'completed_at']: Row<'ledger_records', C>[C] | null;
} & Row<'ledger_records', 'status' | 'top_up', { top_up: Record<string, string | null> | null }> & {
    announced_minor: bigint | null;
    announced_currency: string | null;
    announced_wallet: string | null;
    notice_body: string | null;
    receipt_no: string | null;
    ledger_raw: string | null;
    now: Date;
  };

/** Null when neither the ledger nor a webhook has the id. */
export async function viewTopUp(actor: Person, id: string): Promise<TopUpView | null> {
  assertMay(actor, 'wallet.read');
  const about = sql`announced.announced_at, announced.announced_minor,
    announced.currency AS announced_currency, announced.wallet AS announced_wallet, announced.notice_id,
    n.body AS notice_body, announced.bank_receipt_no AS receipt_no`;
  const [row] = await inOne<Found>(
    actor.merchantId,
    sql`
    (SELECT ${ARRIVED.columns}, '' AS edge, ${about}, l.first_read_at, l.completed_at, l.status,
      l.top_up, l.raw AS ledger_raw, clock_timestamp() AS now
     FROM ${ARRIVED.from} LEFT JOIN announced_top_ups announced ON announced.id = l.id
       LEFT JOIN notices n ON n.id = announced.notice_id WHERE l.id = ${id} AND ${ARRIVED.own})
    UNION ALL
    (SELECT ${ANNOUNCED.columns}, '' AS edge, ${about}, NULL, NULL, NULL, NULL, NULL, clock_timestamp()
     FROM ${ANNOUNCED.from} JOIN announced_top_ups announced ON announced.id = a.id
       JOIN notices n ON n.id = announced.notice_id WHERE a.id = ${id} AND ${ANNOUNCED.own})`,
  );
  if (!row) return null;
  const whole = may(actor.role, 'payee.read');
  const inLedger = row.ledger_raw !== null;
  const differs =
    inLedger &&
    row.announced_at !== null &&
    (isOther(row.announced_minor, row.amount_minor) ||
      isOther(row.announced_currency, row.currency) ||
      isOther(row.announced_wallet, row.wallet));
  return {
    ...topUpRow(row, actor, row.now),
    announcedAt: row.announced_at?.toISOString() ?? null,
    seenAt: row.first_read_at?.toISOString() ?? null,
    completedAt: row.completed_at?.toISOString() ?? null,
    status: row.status,
    announcedElse: differs
      ? {
          amount: row.announced_minor === null ? null : toDecimal(row.announced_minor),
          currency: row.announced_currency,
          wallet: row.announced_wallet,
        }
      : null,
    bankReceiptNo: row.top_up?.bankReceiptNo ?? row.receipt_no,
    receiverIban: row.top_up?.receiverIban ?? null,
    senderTaxNumber: whole ? (row.top_up?.senderTaxNumber ?? null) : null,
    raw: whole ? { ledger: row.ledger_raw, notice: row.notice_body } : null,
    noticeId: row.notice_id?.toString() ?? null,
  };
}

/** What one of the two does not name, it does not contradict. */
function isOther<Value>(announced: Value | null, known: Value | null): boolean {
  return announced !== null && known !== null && announced !== known;
}
