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
  ibanOrNull,
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
    senderiban: ibanOrNull,
    senderbankname: textOrNull,
    senderbankcode: codeOrNull,
    nationalidortaxno: idOrNull,
    receiveriban: ibanOrNull,
    receiverbankname: textOrNull,
    description: textOrNull,
    bankreceiptno: codeOrNull,
    banktransactiondate: textOrNull,
  })
  .transform((fields): TopUpDetails => ({
    senderName: fields.sendername,
    senderIban: fields.senderiban,
    senderBank: fields.senderbankname ?? fields.senderbankcode,
    senderTaxNumber: fields.nationalidortaxno,
    receiverIban: fields.receiveriban,
    receiverBank: fields.receiverbankname,
    description: fields.description,
    bankReceiptNo: fields.bankreceiptno,
    bankDate: fields.banktransactiondate,
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
  const fields = details.parse(Object.keys(message).length > 0 ? message : outer);
  return Object.values(fields).some((value) => value !== null) ? fields : null;
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
  const fields = read.data;
  const isRecord =
    fields.transaction_type_id !== null && TOP_UP_TYPES.has(fields.transaction_type_id);
  const about = isRecord
    ? (topUpDetails(fields.tx_additional_data_json) ?? details.parse({}))
    : details.parse(flat(json.value));
  if (
    !isRecord &&
    (fields.transaction_type_id !== null ||
      fields.tx_correlation_id === null ||
      (about.senderIban ?? about.bankReceiptNo) === null)
  )
    return null;
  return {
    ...about,
    description: about.description ?? fields.tx_description,
    transactionId: isRecord ? fields.id : fields.tx_correlation_id,
    wallet: fields.to_wallet_number ?? fields.wallet_number ?? fields.wallet_info?.number ?? null,
    announcedMinor: isRecord ? fields.tx_base_amount : fields.amount,
    currency: fields.currency_code,
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

/**
 * Decodes the webhook of a failed top-up, recognized by its result_message (`published`); null for
 * any other webhook.
 */
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
