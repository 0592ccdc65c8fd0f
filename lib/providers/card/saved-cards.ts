import 'server-only';
import * as z from 'zod';
import { rawInteger } from '../json.ts';
import type { Reply } from '../outcome.ts';
import { hasCode, readManagementAnswer } from './management-call.ts';
import type { ManagementOutcome } from './management-call.ts';
import { LIST_MAX_BYTES } from './connection.ts';
import type { Line } from './connection.ts';
import { readReply } from './reply.ts';
import type { TypedCard } from './typed-card.ts';
import { idOrNull, maskedCardOrNull, textOrNull } from './wire.ts';

const BIN_MAX = 8;
const HOLDER_MAX = 100;

/**
 * The owner of a saved card. `number` is the merchant's own whole number for the customer, up to 19
 * digits.
 */
export type Customer = { number: string; name?: string; email?: string; phone?: string };

/** Month '01' to '12', year with four digits. */
export type CardChange = {
  customerNumber: string;
  token: string;
  expiryMonth: string;
  expiryYear: string;
  holderName?: string;
};

/**
 * A card as the gateway reports it: never its number, holder or expiry (no published sample has
 * them).
 */
export type SavedCard = {
  id: string;
  token: string;
  /** First six and last four digits at most. */
  masked: string | null;
  bin: string | null;
  bank: string | null;
  customerNumber: string;
  customerName: string | null;
  customerEmail: string | null;
  customerPhone: string | null;
  createdAt: string | null;
  updatedAt: string | null;
};

/**
 * 48 capitals and digits, or 32 hexadecimal digits (`published` samples); no spaces in any case.
 */
const token = z.string().regex(/^[\x21-\x7e]{1,128}$/);

const savedToken = z.object({ card_token: token }).transform((body) => body.card_token);

const savedCard = z
  .object({
    id: idOrNull.pipe(z.string()),
    card_token: token,
    card_number: maskedCardOrNull,
    merchant_id: idOrNull,
    bin: textOrNull.transform((text) =>
      text !== null && /^\d+$/.test(text) && text.length <= BIN_MAX ? text : null,
    ),
    card_issuer_bank: textOrNull,
    customer_number: idOrNull.pipe(z.string()),
    customer_name: textOrNull,
    customer_email: textOrNull,
    customer_phone: textOrNull,
    created_at: textOrNull,
    updated_at: textOrNull,
  })
  .transform((record): SavedCard => ({
    id: record.id,
    token: record.card_token,
    masked: record.card_number,
    bin: record.bin ?? firstSix(record.card_number),
    bank: record.card_issuer_bank,
    customerNumber: withoutMerchant(record.customer_number, record.merchant_id),
    customerName: record.customer_name,
    customerEmail: record.customer_email,
    customerPhone: record.customer_phone,
    createdAt: record.created_at,
    updatedAt: record.updated_at,
  }));

/**
 * Both `5310` and, in the row of merchant 20417, `5310-20417` are customer 5310 (`published`:
 * fixture of the vendor's PHP SDK).
 */
function withoutMerchant(written: string, merchantId: string | null): string {
  const suffix = merchantId === null ? '' : `-${merchantId}`;
  return written.endsWith(suffix) ? written.slice(0, written.length - suffix.length) : written;
}

/**
 * The first six digits of a masked number, for a row that has no `bin` (`published`: the same
 * fixture).
 */
function firstSix(masked: string | null): string | null {
  return masked?.match(/^\d{6}(?=\*)/)?.[0] ?? null;
}

const savedCards = z.object({ data: z.array(savedCard) }).transform((body) => body.data);

const changed = z.object({ card_token: token.optional().catch(undefined) });
const nothing = z.object({});

/**
 * Saves a card at the gateway (`published`: POST saveCard) and returns its token. Saving the same
 * card again returns the same token (`assumed`), so a save without a response may be repeated.
 * @throws Error where `CARD_ENTRY` is not `all`.
 */
export async function saveCard(
  line: Line,
  customer: Customer,
  card: TypedCard,
): Promise<ManagementOutcome<string>> {
  const { holder, number, expiryMonth, expiryYear } = card.open(line.entry);
  const exchange = await line.ask({
    path: '/ccpayment/api/saveCard',
    fields: {
      merchant_key: line.merchantKey,
      card_holder_name: holder,
      card_number: number,
      expiry_month: expiryMonth,
      expiry_year: expiryYear,
      customer_number: rawInteger(customer.number),
      // Six parts (`published`); one recent client omits the card number.
      hash_key: line.hashKey([
        line.merchantKey,
        customer.number,
        holder,
        number,
        expiryMonth,
        expiryYear,
      ]),
      customer_name: customer.name,
      customer_email: customer.email,
      customer_phone: customer.phone,
    },
    secret: [number],
  });
  return readManagementAnswer(
    exchange,
    savedToken,
    line.codes,
    line.codes.errands.refused.saveCard,
  );
}

/**
 * The cards of one customer (`published`: getCardTokens, here by query). An unknown customer has
 * none (`assumed`).
 */
export async function listSavedCards(
  line: Line,
  customerNumber: string,
): Promise<Reply<SavedCard[]>> {
  const fields = { merchant_key: line.merchantKey, customer_number: rawInteger(customerNumber) };
  const reply = readReply(
    await line.ask({
      method: 'GET',
      path: '/ccpayment/api/getCardTokens',
      fields,
      answerMaxBytes: LIST_MAX_BYTES,
    }),
    savedCards,
    line.codes,
  );
  // Another customer's card would be charged under this customer's name.
  return reply.kind === 'answered' &&
    reply.value.some((card) => card.customerNumber !== customerNumber)
    ? { kind: 'no_answer', why: 'mismatch' }
    : reply;
}

/**
 * Changes expiry and holder (`published`: POST editCard) and returns the token to use from now on.
 */
export async function editCard(line: Line, change: CardChange): Promise<ManagementOutcome<string>> {
  checkExpiry(change);
  if (change.holderName !== undefined && change.holderName.length > HOLDER_MAX)
    throw new RangeError(`a holder's name has at most ${HOLDER_MAX} characters`);
  const exchange = await line.ask({
    path: '/ccpayment/api/editCard',
    fields: {
      ...cardFields(line, change),
      expiry_month: change.expiryMonth,
      expiry_year: change.expiryYear,
      card_holder_name: change.holderName,
    },
  });
  const outcome = withUnknownCard(
    line,
    readManagementAnswer(exchange, changed, line.codes, line.codes.errands.refused.editCard),
  );
  return outcome.kind === 'done'
    ? { kind: 'done', value: outcome.value.card_token ?? change.token }
    : outcome;
}

/**
 * Deletes a saved card (`published`: POST deleteCard). `not_found` after an unclear attempt means
 * that it is deleted.
 */
export async function deleteCard(
  line: Line,
  card: { customerNumber: string; token: string },
): Promise<ManagementOutcome<null>> {
  const exchange = await line.ask({
    path: '/ccpayment/api/deleteCard',
    fields: cardFields(line, card),
  });
  const outcome = withUnknownCard(
    line,
    readManagementAnswer(exchange, nothing, line.codes, line.codes.errands.refused.deleteCard),
  );
  return outcome.kind === 'done' ? { kind: 'done', value: null } : outcome;
}

function cardFields(
  line: Line,
  card: { customerNumber: string; token: string },
): Record<string, unknown> {
  return {
    merchant_key: line.merchantKey,
    card_token: card.token,
    customer_number: rawInteger(card.customerNumber),
    hash_key: line.hashKey([line.merchantKey, card.customerNumber, card.token]),
  };
}

function withUnknownCard<T>(line: Line, outcome: ManagementOutcome<T>): ManagementOutcome<T> {
  return hasCode(outcome, line.codes.errands.unknownCard) ? { kind: 'not_found' } : outcome;
}

function checkExpiry({ expiryMonth, expiryYear }: CardChange): void {
  if (!/^(?:0[1-9]|1[0-2])$/.test(expiryMonth) || !/^20\d{2}$/.test(expiryYear))
    throw new RangeError('an expiry is a month with two digits and a year with four');
}
