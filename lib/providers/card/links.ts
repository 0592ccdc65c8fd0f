import 'server-only';
import * as z from 'zod';
import { classifyRecord } from './classify-record.ts';
import { hasCode, readManagementAnswer } from './management-call.ts';
import type { ManagementOutcome } from './management-call.ts';
import type { Line } from './connection.ts';
import { purchaseFields, purchaseHashParts } from './purchase-body.ts';
import type { LinkContent } from './purchase-body.ts';
import { idOrNull } from './wire.ts';
import type { ExpectedCharge, RecordOutcome } from './types.ts';

/**
 * A payment page on the gateway. Untrusted until its address is known to be on the gateway's host.
 */
export type PurchaseLink = { address: string; orderId: string | null };

/** `status` beside the code (`published`): false contradicts success. */
const made = z
  .object({
    status: z.literal(true).optional(),
    link: z.url({ protocol: /^https?$/ }),
    order_id: idOrNull,
  })
  .transform((body): PurchaseLink => ({ address: body.link, orderId: body.order_id }));

/**
 * Makes a payment link for one invoice (`published`: POST purchase/link, for merchants with the
 * gateway's own page). It moves no money by itself. `exists`: this invoice already has an order,
 * perhaps by an earlier request of ours without a response; read its record.
 * @throws RangeError for an invalid order.
 */
export async function makeLink(
  line: Line,
  content: LinkContent,
): Promise<ManagementOutcome<PurchaseLink> | { kind: 'exists' }> {
  const hashKey = line.hashKey(purchaseHashParts(content, line.merchantKey));
  const exchange = await line.ask({
    path: '/ccpayment/purchase/link',
    fields: { merchant_key: line.merchantKey, ...purchaseFields(content), hash_key: hashKey },
  });
  const outcome = readManagementAnswer(exchange, made, line.codes, line.codes.errands.refused.link);
  return hasCode(outcome, line.codes.errands.linkExists) ? { kind: 'exists' } : outcome;
}

/**
 * Reads the record of a link's invoice (`published`: POST purchase/status; that the response has
 * the shape of checkstatus is `assumed`).
 */
export async function readLink(line: Line, expected: ExpectedCharge): Promise<RecordOutcome> {
  const fields = { merchant_key: line.merchantKey, invoice_id: expected.invoiceId };
  return classifyRecord(
    await line.ask({ path: '/ccpayment/purchase/status', fields }),
    expected,
    line.codes,
  );
}
