/** What the response to `checkstatus` proves. Pure. */
import * as z from 'zod';
import type { Exchange } from '../outcome.ts';
import type { CardCodes, ChargeState } from './codes.ts';
import {
  amount,
  amountOrNull,
  countOrNull,
  id,
  idOrNull,
  maskedCardOrNull,
  openEnvelope,
  textOrNull,
} from './wire.ts';
import type { Answer } from './wire.ts';
import type { AskedCharge, RecordOutcome, RefundRow } from './types.ts';

const INSTALLMENTS_MAX = 999;

/** A row of `refund_info` (`assumed`). A row without a refund id of ours is left out. */
const refundRow = z
  .object({ refund_transaction_id: id, amount, date: textOrNull, status: textOrNull })
  .transform((row): RefundRow => ({
    refundId: row.refund_transaction_id,
    amountMinor: row.amount,
    at: row.date,
    status: row.status,
  }))
  .nullable()
  .catch(null);

/** `published`; flat, no `data`. Which amount fields a record carries differs by brand. */
const record = z.object({
  invoice_id: id,
  order_id: idOrNull,
  transaction_id: idOrNull,
  transaction_status: textOrNull,
  transaction_type: textOrNull,
  product_price: amountOrNull,
  transaction_amount: amountOrNull,
  total_refunded_amount: amountOrNull,
  refund_info: z.array(refundRow).catch([]),
  cc_no: maskedCardOrNull,
  status_description: textOrNull,
  reason: textOrNull,
  bank_status_description: textOrNull,
  original_bank_error_description: textOrNull,
  settlement_date: textOrNull,
  installment: countOrNull,
  merchant_commission: amountOrNull,
  user_commission: amountOrNull,
  recurring_id: idOrNull,
  recurring_plan_code: idOrNull,
  next_action_date: textOrNull,
  recurring_status: textOrNull,
});

type Fields = z.output<typeof record>;

/**
 * The `transaction_type` of an authorization, with or without the hyphen (`contract`:
 * Pre-Authorization).
 */
const HELD_TYPE = /^pre-?auth/i;

/**
 * `found` only for our own invoice and amount in a state whose code and words agree. `not_found`
 * proves little (the record may be late) and is only counted. Anything else, an unknown code or
 * word included, counts as no response.
 */
export function classifyRecord(
  exchange: Exchange,
  expected: AskedCharge,
  codes: CardCodes,
): RecordOutcome {
  const opened = openEnvelope(exchange);
  switch (opened.kind) {
    case 'not_sent':
      return { kind: 'no_answer', why: opened.why, raw: null };
    case 'unauthorized':
      return { kind: 'no_answer', why: 'unauthorized', raw: opened.raw };
    case 'unclear':
      return { kind: 'no_answer', why: opened.why, raw: opened.raw };
    case 'answer':
      return opened.http === 200
        ? classifyAnswer(opened, expected, codes)
        : { kind: 'no_answer', why: 'http_status', raw: opened.raw };
  }
}

function classifyAnswer(answer: Answer, expected: AskedCharge, codes: CardCodes): RecordOutcome {
  const { raw } = answer;
  const meaning = codes.record.get(answer.code);
  if (meaning === undefined) return { kind: 'no_answer', why: 'unknown_code', raw };
  const read = record.safeParse(answer.body);
  if (!read.success)
    return meaning === 'not_found'
      ? { kind: 'not_found', raw }
      : { kind: 'no_answer', why: 'shape', raw };
  const fields = read.data;
  if (fields.invoice_id !== expected.invoiceId) return { kind: 'no_answer', why: 'mismatch', raw };
  if (meaning === 'not_found') return { kind: 'not_found', raw };
  const state = stateOf(fields, meaning, codes);
  if (state === null) return { kind: 'no_answer', why: 'unknown_state', raw };
  const amountMinor = fields.product_price ?? fields.transaction_amount;
  // A final record must name its amount; another amount belongs to another order.
  if (amountMinor !== null && expected.amountMinor !== null && amountMinor !== expected.amountMinor)
    return { kind: 'no_answer', why: 'mismatch', raw };
  if (amountMinor === null && state !== 'pending') return { kind: 'no_answer', why: 'shape', raw };
  return { kind: 'found', raw, ...toWords(fields, state, amountMinor) };
}

/** Null when code and word contradict each other or are unknown. */
function stateOf(
  { transaction_status: word, transaction_type: type }: Fields,
  meaning: 'succeeded' | 'failed' | 'pending',
  codes: CardCodes,
): ChargeState | null {
  const state = codes.states.get(word?.trim().toLowerCase() ?? '') ?? null;
  if (meaning === 'succeeded')
    return state === 'completed' && HELD_TYPE.test(type ?? '')
      ? 'captured'
      : state === 'failed'
        ? null
        : state;
  if (meaning === 'pending') return state === 'pending' || word === null ? 'pending' : null;
  return state === 'failed' || state === 'cancelled' ? state : null;
}

/** Zero and nonsense are no number of installments. */
function countOfInstallments(count: number | null): number | null {
  return count !== null && count >= 1 && count <= INSTALLMENTS_MAX ? count : null;
}

/** A negative amount is no commission. */
function notNegative(minor: bigint | null): bigint | null {
  return minor === null || minor < 0n ? null : minor;
}

function toWords(fields: Fields, state: ChargeState, amountMinor: bigint | null) {
  const reason =
    fields.original_bank_error_description ??
    fields.bank_status_description ??
    fields.reason ??
    fields.status_description;
  return {
    state,
    invoiceId: fields.invoice_id,
    orderId: fields.order_id,
    transactionId: fields.transaction_id,
    amountMinor,
    chargedMinor: fields.transaction_amount,
    refundedMinor: fields.total_refunded_amount,
    refunds: fields.refund_info.filter((row) => row !== null),
    card: fields.cc_no,
    reason: state === 'failed' ? reason : null,
    settlesOn: fields.settlement_date,
    installments: countOfInstallments(fields.installment),
    commissionMinor: notNegative(fields.merchant_commission),
    buyerCommissionMinor: notNegative(fields.user_commission),
    recurring:
      fields.recurring_plan_code === null
        ? null
        : {
            id: fields.recurring_id,
            planCode: fields.recurring_plan_code,
            nextAt: fields.next_action_date,
            status: fields.recurring_status,
          },
  };
}
