import 'server-only';
import * as z from 'zod';
import { rawAmount } from '../json.ts';
import type { Reply } from '../outcome.ts';
import { hasCode } from './management-call.ts';
import { LIST_MAX_BYTES } from './connection.ts';
import type { Line } from './connection.ts';
import { readReply } from './reply.ts';
import type { TypedCard } from './typed-card.ts';
import { amountOrNull, digits, idOrNull, textOrNull } from './wire.ts';

const INSTALLMENTS_MAX = 999;

/**
 * A card by its first six or eight digits; by its whole number for an agriculture card only
 * (`published`).
 */
export type PosCard = { prefix: string } | { agriculture: TypedCard };

export type PosQuestion = {
  card: PosCard;
  amountMinor: bigint;
  currency: string;
  /** The first payment of a plan: single payments only. */
  recurring?: boolean;
  /** Without the bank's 3D page. */
  nonSecure?: boolean;
  /** The party that pays the commission. */
  commissionBy?: 'merchant' | 'user';
};

/** One payment option: a number of installments and its cost to the buyer. */
export type PosOption = {
  posId: string | null;
  campaignId: string | null;
  allocationId: string | null;
  /** 1 is a single payment. */
  installments: number;
  title: string | null;
  /** The buyer's total, including the buyer's commission. */
  payableMinor: bigint;
  currency: string | null;
  cardType: string | null;
  program: string | null;
  /** visa, …: in lower case as in the published sample. */
  scheme: string | null;
  commercial: boolean | null;
  bank: { id: string | null; name: string | null };
  merchantFeeMinor: bigint | null;
  /** Agriculture cards: allowed values of the order's `maturity_period` and `payment_frequency`. */
  maturityPeriods: number[];
  paymentFrequencies: number[];
};

const installments = digits.transform(Number).pipe(z.number().int().min(1).max(INSTALLMENTS_MAX));

/**
 * The allowed values of `maturity_period` and `payment_frequency`: one value per row, or a list
 * (`assumed`: one row per allowed pair).
 */
const period = digits.transform(Number).pipe(z.number().int().nonnegative());
const periods = z
  .union([period.transform((one) => [one]), z.array(period)])
  .nullish()
  .transform((list) => list ?? [])
  .catch([]);

const flagOrNull = digits
  .pipe(z.enum(['0', '1']))
  .transform((digit) => digit === '1')
  .nullish()
  .transform((value) => value ?? null)
  .catch(null);

const posRow = z
  .object({
    pos_id: idOrNull,
    campaign_id: idOrNull,
    allocation_id: idOrNull,
    installments_number: installments,
    title: textOrNull,
    amount_to_be_paid: amountOrNull,
    payable_amount: amountOrNull,
    currency_code: textOrNull,
    card_type: textOrNull,
    card_program: textOrNull,
    card_scheme: textOrNull,
    is_commercial: flagOrNull,
    card_is_commercial: flagOrNull,
    // Which of these two fields is present differs by brand.
    card_bank: textOrNull,
    bank_code: idOrNull,
    card_bank_name: textOrNull,
    card_bank_id: idOrNull,
    merchant_fee: amountOrNull,
    maturity_period: periods,
    payment_frequency: periods,
  })
  .transform((row, context): PosOption => {
    // The same amount twice, as a number and as text with two decimals: one may have more decimals
    // than a minor unit, but they must not differ.
    const payableMinor = row.amount_to_be_paid ?? row.payable_amount;
    if (
      payableMinor === null ||
      payableMinor <= 0n ||
      (row.payable_amount ?? payableMinor) !== payableMinor
    ) {
      context.addIssue({ code: 'custom', message: 'not an amount' });
      return z.NEVER;
    }
    return {
      posId: row.pos_id,
      campaignId: row.campaign_id,
      allocationId: row.allocation_id,
      installments: row.installments_number,
      title: row.title,
      payableMinor,
      currency: row.currency_code,
      cardType: row.card_type,
      program: row.card_program,
      scheme: row.card_scheme,
      commercial: row.is_commercial ?? row.card_is_commercial,
      bank: { id: row.bank_code ?? row.card_bank_id, name: row.card_bank ?? row.card_bank_name },
      merchantFeeMinor: row.merchant_fee,
      maturityPeriods: row.maturity_period,
      paymentFrequencies: row.payment_frequency,
    };
  });

const posRows = z.object({ data: z.array(posRow) }).transform((body) => body.data);

/**
 * The installments available to a card for an amount, and the cost of each (`published`: POST
 * getpos). An amount in another currency than requested counts as no response.
 * @throws RangeError for an amount that is not positive and for an invalid prefix.
 * @throws Error for a whole card number where `CARD_ENTRY` is not `all`.
 */
export async function getPos(line: Line, question: PosQuestion): Promise<Reply<PosOption[]>> {
  const { card, secret } = cardField(line, question.card);
  if (question.amountMinor <= 0n) throw new RangeError('installments need a positive amount');
  const exchange = await line.ask({
    path: '/ccpayment/api/getpos',
    fields: {
      credit_card: card,
      amount: rawAmount(question.amountMinor),
      currency_code: question.currency,
      merchant_key: line.merchantKey,
      is_recurring: question.recurring ? 1 : 0,
      is_2d: question.nonSecure ? 1 : 0,
      commission_by: question.commissionBy,
      // The gateway's own spelling, with one m.
      is_comission_from_user:
        question.commissionBy === undefined ? undefined : question.commissionBy === 'user' ? 1 : 0,
    },
    secret,
    answerMaxBytes: LIST_MAX_BYTES,
  });
  const reply = readReply(exchange, posRows, line.codes);
  const isForeign = (row: PosOption): boolean =>
    row.currency !== null && row.currency !== question.currency;
  return reply.kind === 'answered' && reply.value.some(isForeign)
    ? { kind: 'no_answer', why: 'mismatch' }
    : reply;
}

function cardField(line: Line, card: PosCard): { card: string; secret: string[] } {
  if ('agriculture' in card) {
    const { number } = card.agriculture.open(line.entry);
    return { card: number, secret: [number] };
  }
  if (!/^\d{6}(?:\d{2})?$/.test(card.prefix))
    throw new RangeError('a card prefix has six or eight digits');
  return { card: card.prefix, secret: [] };
}

const assigned = z
  .object({ installments: z.array(installments) })
  .transform((body) => body.installments);

/**
 * The numbers of installments that the merchant may offer (`published`: POST installments). Empty
 * when there are none.
 */
export async function listInstallments(line: Line): Promise<Reply<number[]>> {
  const exchange = await line.ask({
    path: '/ccpayment/api/installments',
    fields: { merchant_key: line.merchantKey },
  });
  const reply = readReply(exchange, assigned, line.codes);
  return hasCode(reply, line.codes.errands.noInstallments)
    ? { kind: 'answered', value: [] }
    : reply;
}
