/**
 * Incoming money, as ledger entries and unsigned webhooks describe it. Pure.
 *
 * A webhook proves nothing: its content is shown as announced, and the amount comes from the ledger
 * entry with the same id (docs/money-rules.md, I14).
 */
import * as z from 'zod';
import { parseJson } from '../json.ts';
import { FAILED_TOP_UP_CODES } from './codes.ts';
import type { FailedTopUpReason } from './codes.ts';
import {
  amountOrNull,
  codeOrNull,
  currencyOrNull,
  enumTextOrNull,
  idOrNull,
  jsonTextOrNull,
  textOrNull,
} from './wire.ts';

/** Top-ups by bank transfer (`published`). */
export const TOP_UP_TYPES: ReadonlySet<string> = new Set(['1001', '1004']);

/**
 * Sender, bank and description of a top-up, as the bank wrote them and unverified.
 */
export type TopUpDetails = {
  senderName: string | null;
  senderIban: string | null;
  /** The bank's name, or its code when the name is missing. */
  senderBank: string | null;
  /** National id or tax number; only the older form names it (`published-weak`). */
  senderTaxNumber: string | null;
  receiverIban: string | null;
  receiverBank: string | null;
  description: string | null;
  bankReceiptNo: string | null;
  bankDate: string | null;
};

export type TopUpNotice = TopUpDetails & {
  /**
   * The ledger's transaction id: used to read the amount, and to recognize repeats (`assumed`).
   */
  transactionId: string | null;
  wallet: string | null;
  announcedMinor: bigint | null;
  currency: string | null;
};

export type FailedTopUpNotice = {
  reason: FailedTopUpReason;
  code: string | null;
  message: string | null;
  /** Null when the provider found no wallet for the money. */
  wallet: string | null;
  announcedMinor: bigint | null;
  currency: string | null;
  description: string | null;
};

/**
 * Names are compared without case and underscores: the same field comes as SenderIban and as
 * sender_iban (`published`, both forms).
 */
const details = z
  .object({
    sendername: textOrNull,
    senderiban: textOrNull,
    senderbankname: textOrNull,
    senderbankcode: codeOrNull,
    nationalidortaxno: idOrNull,
    receiveriban: textOrNull,
    receiverbankname: textOrNull,
    description: textOrNull,
    bankreceiptno: codeOrNull,
    banktransactiondate: textOrNull,
  })
  .transform((said): TopUpDetails => ({
    senderName: said.sendername,
    senderIban: said.senderiban,
    senderBank: said.senderbankname ?? said.senderbankcode,
    senderTaxNumber: said.nationalidortaxno,
    receiverIban: said.receiveriban,
    receiverBank: said.receiverbankname,
    description: said.description,
    bankReceiptNo: said.bankreceiptno,
    bankDate: said.banktransactiondate,
  }));

/**
 * `tx_additional_data_json` of a top-up: one Message object, inside `Message` or bare. Null when it
 * has none of these fields.
 */
export function topUpDetails(json: string | null): TopUpDetails | null {
  const read = json === null ? null : parseJson(json);
  if (!read?.ok) return null;
  const outer = flat(read.value);
  const message = flat(outer['message']);
  const said = details.parse(Object.keys(message).length > 0 ? message : outer);
  return Object.values(said).some((value) => value !== null) ? said : null;
}

const topUp = z.object({
  id: idOrNull,
  tx_correlation_id: idOrNull,
  transaction_type_id: enumTextOrNull,
  to_wallet_number: idOrNull,
  wallet_number: idOrNull,
  wallet_info: z.object({ number: idOrNull }).nullish().catch(null),
  tx_base_amount: amountOrNull,
  amount: amountOrNull,
  currency_code: currencyOrNull,
  tx_description: textOrNull,
  tx_additional_data_json: jsonTextOrNull,
});

/**
 * Decodes both published forms, the transaction record and the older flat one; null for any other
 * webhook.
 */
export function readTopUp(body: string): TopUpNotice | null {
  const json = parseJson(body);
  const read = json.ok ? topUp.safeParse(json.value) : null;
  if (!json.ok || !read?.success) return null;
  const said = read.data;
  const isRecord = said.transaction_type_id !== null && TOP_UP_TYPES.has(said.transaction_type_id);
  const about = isRecord
    ? (topUpDetails(said.tx_additional_data_json) ?? details.parse({}))
    : details.parse(flat(json.value));
  if (
    !isRecord &&
    (said.transaction_type_id !== null ||
      said.tx_correlation_id === null ||
      (about.senderIban ?? about.bankReceiptNo) === null)
  )
    return null;
  return {
    ...about,
    description: about.description ?? said.tx_description,
    transactionId: isRecord ? said.id : said.tx_correlation_id,
    wallet: said.to_wallet_number ?? said.wallet_number ?? said.wallet_info?.number ?? null,
    announcedMinor: isRecord ? said.tx_base_amount : said.amount,
    currency: said.currency_code,
  };
}

const failedTopUp = z.object({
  result_code: codeOrNull,
  result_message: textOrNull,
  wallet_number: idOrNull,
  amount: amountOrNull,
  currency_code: currencyOrNull,
  description: textOrNull,
});

/** `published`: recognized by its result_message. Null for any other webhook. */
export function readFailedTopUp(body: string): FailedTopUpNotice | null {
  const json = parseJson(body);
  const read = json.ok ? failedTopUp.safeParse(json.value) : null;
  if (!read?.success) return null;
  const {
    result_code: code,
    result_message: message,
    wallet_number: wallet,
    amount: announcedMinor,
    currency_code: currency,
    description,
  } = read.data;
  if (code === null || message === null) return null;
  return {
    reason: FAILED_TOP_UP_CODES.get(code) ?? 'other',
    code,
    message,
    wallet,
    announcedMinor,
    currency,
    description,
  };
}

/** The fields of an object under their normalized names; empty for anything else. */
function flat(value: unknown): Record<string, unknown> {
  const one = Array.isArray(value) && value.length === 1 ? (value[0] as unknown) : value;
  if (typeof one !== 'object' || one === null || Array.isArray(one)) return {};
  return Object.fromEntries(
    Object.entries(one).map(([name, field]) => [
      name.toLowerCase().replaceAll('_', ''),
      field as unknown,
    ]),
  );
}
