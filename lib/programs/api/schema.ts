import * as z from 'zod';

/**
 * The bodies of the API, from which the OpenAPI document is made. A body with an unknown field is
 * refused: a mistyped name must not lose what it was meant to say. Pure.
 */

export const ROWS_MAX = 5_000;

const AMOUNT = /^(?:0|[1-9]\d{0,11})\.\d{2}$/;
const amount = z
  .string()
  .regex(AMOUNT)
  .describe('Decimal text with exactly two digits after the point, such as "1250.00".');
const currency = z
  .string()
  .regex(/^[A-Z]{3}$/)
  .describe("ISO 4217 code. It must be the wallet's currency.");
const wallet = z
  .string()
  .regex(/^[0-9]{4,20}$/)
  .describe('Number of the wallet that is debited.');
const at = z.iso.datetime().describe('UTC, RFC 3339.');

const payee = {
  iban: z.string().min(15).max(42).describe('Turkish IBAN; blanks are ignored.'),
  name: z.string().min(2).max(200).describe("The payee's name as the bank knows it."),
  tax_number: z.string().min(10).max(20).describe('VKN (10 digits) or TCKN (11 digits).'),
  amount,
  payment_type: z
    .string()
    .regex(/^[0-9A-Za-z]{1,10}$/)
    .describe('Code of the payment type, as the reference page lists them.'),
  description: z.string().max(400).describe("What the payee's bank statement shows."),
  overrides: z
    .array(z.string().regex(/^[a-z_]{1,40}$/))
    .max(20)
    .optional()
    .describe('Codes of warnings that this payment is to be made in spite of.'),
  override_reason: z.string().max(500).optional().describe('Why; needed with `overrides`.'),
};

export const payoutBody = z
  .strictObject({ wallet, currency, ...payee })
  .describe('A payout from a wallet to a bank account.');
export type PayoutBody = z.infer<typeof payoutBody>;

export const batchBody = z
  .strictObject({
    wallet,
    currency,
    name: z.string().max(200).optional().describe('How people find the batch, like a file name.'),
    rows: z.array(z.strictObject(payee)).min(1).max(ROWS_MAX),
  })
  .describe('Many payouts from one wallet. All rows are taken, or none.');
export type BatchBody = z.infer<typeof batchBody>;

/** What is known about the money: the states of a payout. */
export const PAYOUT_STATUSES = [
  'awaiting_approval',
  'approved',
  'sending',
  'pending',
  'unknown',
  'manual_review',
  'completed',
  'rejected',
  'failed',
  'cancelled',
  'expired',
] as const;

export const payoutAnswer = z
  .strictObject({
    object: z.literal('payout'),
    id: z.uuid(),
    status: z
      .enum(PAYOUT_STATUSES)
      .describe(
        'awaiting_approval, approved: nothing has left. sending, pending: under way. unknown, ' +
          'manual_review: it may have been paid, do not pay it again; also when a record of the ' +
          'provider contradicts an earlier "not paid", or a restore of the database may have lost ' +
          'a send of it. completed: paid. rejected, failed, cancelled, expired: not paid.',
      ),
    returned: z
      .enum(['none', 'reported', 'confirmed'])
      .describe('Whether the bank sent a completed payout back.'),
    wallet: z.string(),
    iban: z.string(),
    name: z.string(),
    tax_number: z.string(),
    amount,
    currency,
    payment_type: z.string(),
    description: z.string(),
    reference: z.string().describe('Our reference, which the provider knows.'),
    fee: amount.nullable(),
    reason: z.strictObject({ code: z.string(), text: z.string() }).nullable(),
    approvals_needed: z.int().min(0),
    created_at: at,
    ended_at: at.nullable(),
  })
  .describe('A payout. The answer to a POST shows it as it was then; GET shows it as it is now.');
export type PayoutAnswer = z.infer<typeof payoutAnswer>;

const part = z.strictObject({ count: z.int().min(0), amount });

export const batchAnswer = z
  .strictObject({
    object: z.literal('batch'),
    id: z.uuid(),
    status: z
      .string()
      .describe('waiting (for approval), expired, sent_back, running, held, stopped or done.'),
    hold: z.string().nullable().describe('Why it is paused; null while it is not.'),
    wallet: z.string(),
    currency,
    name: z.string(),
    rows: z.record(z.string(), part).describe('Count and sum of the rows by state.'),
    created_at: at,
  })
  .describe('A batch and where its rows stand.');
export type BatchAnswer = z.infer<typeof batchAnswer>;

const params = z.record(z.string(), z.unknown()).describe('The values of the sentence.');

export const problemAnswer = z
  .object({
    type: z.string().describe('Address of the code in the reference.'),
    title: z.string(),
    status: z.int(),
    code: z.string().describe('Stable name of the problem.'),
    detail: z.string().describe('A sentence for people, by Accept-Language (en, tr).'),
    errors: z
      .array(
        z.object({
          row: z.int().optional(),
          field: z.string(),
          code: z.string(),
          params: params.optional(),
        }),
      )
      .optional(),
    findings: z
      .array(
        z.object({
          row: z.int().optional(),
          code: z.string(),
          level: z.enum(['block', 'warn']),
          field: z.string(),
          params,
        }),
      )
      .optional()
      .describe('level "warn": allowed with its code in `overrides` and a reason.'),
  })
  .describe('RFC 9457. Nothing was stored or sent, unless the code says otherwise.');
export type ProblemAnswer = z.infer<typeof problemAnswer>;

const { object, id, status, returned, reference } = payoutAnswer.shape;
const batch = batchAnswer.shape;

/** Messages to the merchant's own address. They name no payee, and a program may know them. */
export const payoutMessage = z
  .strictObject({
    type: z.literal('payout.updated'),
    timestamp: at,
    data: z.strictObject({ object, id, status, returned, amount, currency, wallet, reference }),
  })
  .describe(
    'A payout has changed: how it stood at that time. Messages may come twice and in another order: ' +
      'the one with the later `timestamp` counts. Ask for the payout before you pay again.',
  );
export const batchMessage = z
  .strictObject({
    type: z.literal('batch.updated'),
    timestamp: at,
    data: z.strictObject({
      object: batch.object,
      id: batch.id,
      status: batch.status,
      hold: batch.hold,
    }),
  })
  .describe('A batch has changed: how it stood at that time.');

export const SCHEMAS = {
  PayoutRequest: payoutBody,
  Payout: payoutAnswer,
  BatchRequest: batchBody,
  Batch: batchAnswer,
  Problem: problemAnswer,
  PayoutMessage: payoutMessage,
  BatchMessage: batchMessage,
} as const;

export const IDEMPOTENCY_KEY = /^[\x21-\x7e]{16,128}$/;
