/** What the response to a payment proves. Pure. */
import * as z from 'zod';
import type { Exchange } from '../outcome.ts';
import { classifyMoney } from './classify-money.ts';
import type { Unclear } from './classify-money.ts';
import type { CodeTable } from './codes.ts';
import type { Line } from './connection.ts';
import { digitsOrNull, idOrNull, maskedCardOrNull, textOrNull } from './wire.ts';
import type { Answer } from './wire.ts';
import type { ExpectedPayment, PaymentOutcome } from './types.ts';

/** `payment_status` and `{prefix}status` of a success (`contract`). */
const PAID = '1';
const TYPES: ReadonlyMap<string, { held: boolean }> = new Map([
  ['Auth', { held: false }],
  ['Pre-Authorization', { held: true }],
]);

/** The payment result (`contract`; `auth_code` `published`). */
const result = z.object({
  payment_status: digitsOrNull,
  order_no: idOrNull,
  order_id: idOrNull,
  invoice_id: idOrNull,
  error_code: digitsOrNull,
  transaction_type: textOrNull,
  credit_card_no: maskedCardOrNull,
  auth_code: idOrNull,
  hash_key: z.unknown(),
});

/** What a classifier needs of the connection: the field prefix, and the hash key check. */
export type Judge = Pick<Line, 'fieldPrefix' | 'agrees'>;

type Approved = Extract<PaymentOutcome, { kind: 'approved' }>;
export type Approval = Omit<Approved, 'raw' | 'code' | 'message'>;

/**
 * paySmart2D, payByCardTokenNonSecure: the result is in `data` (`contract`; for the latter
 * `published`).
 */
export function classifyPayment(
  exchange: Exchange,
  expected: ExpectedPayment,
  table: CodeTable,
  judge: Judge,
): PaymentOutcome {
  return classifyMoney(exchange, table, judge.fieldPrefix, (answer) =>
    readApproval(answer, expected, judge),
  );
}

/**
 * Approved only when everything agrees: payment status, our own invoice, a single order number, the
 * requested transaction type, and the hash key over status, total, invoice, order and currency.
 * Otherwise unclear: the money may have moved.
 */
export function readApproval(
  answer: Answer,
  expected: ExpectedPayment,
  judge: Judge,
): Approval | Unclear {
  const data = answer.body['data'];
  const read = result.safeParse(data);
  if (!read.success) return { kind: 'unclear', why: 'shape' };
  const fields = read.data;
  const status = digitsOrNull.parse(
    (data as Record<string, unknown>)[`${judge.fieldPrefix}status`],
  );
  const orderId = fields.order_no ?? fields.order_id;
  const type = TYPES.get(fields.transaction_type ?? '');
  if (orderId === null || type === undefined) return { kind: 'unclear', why: 'shape' };
  const agrees =
    fields.payment_status === PAID &&
    (status === null || status === PAID) &&
    (fields.order_id === null || fields.order_id === orderId) &&
    (fields.error_code === null || fields.error_code === answer.code) &&
    fields.invoice_id === expected.invoiceId &&
    type.held === expected.hold &&
    judge.agrees(fields.hash_key, [
      PAID,
      { amountMinor: expected.amountMinor },
      expected.invoiceId,
      orderId,
      expected.currency,
    ]);
  return agrees
    ? {
        kind: 'approved',
        held: type.held,
        orderId,
        card: fields.credit_card_no,
        authCode: fields.auth_code,
      }
    : { kind: 'unclear', why: 'mismatch' };
}
