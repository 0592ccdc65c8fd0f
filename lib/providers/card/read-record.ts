import 'server-only';
import { classifyRecord } from './classify-record.ts';
import type { Line } from './connection.ts';
import type { AskedCharge, RecordOutcome } from './types.ts';

/**
 * Reads the gateway's own record of one invoice: the only source that makes a card payment, a
 * capture or a refund final (`contract`: the merchant confirms every outcome by it). With an
 * expected amount, a record of another amount is `no_answer` (`mismatch`). Moves no money, so it
 * may be repeated at any time.
 */
export async function readRecord(line: Line, expected: AskedCharge): Promise<RecordOutcome> {
  const { invoiceId } = expected;
  const exchange = await line.ask({
    path: '/ccpayment/api/checkstatus',
    fields: {
      merchant_key: line.merchantKey,
      invoice_id: invoiceId,
      // The hash key is `published`; some brands require it, so it is always sent.
      hash_key: line.hashKey([invoiceId, line.merchantKey]),
      include_pending_status: true,
      show_refund_info: 'Y',
    },
  });
  return classifyRecord(exchange, expected, line.codes);
}
