/** The body of cashout/tobank, and the parts of its hash key. Pure. */
import { toDecimal } from '#lib/values/money.ts';
import { rawAmount } from '../json.ts';
import type { Raw } from '../json.ts';

/** `cashout_type` (`published`): the only value. */
const TO_BANK = 1;
const ROWS_MAX = 100;
/** The number without its plus sign (`published`). */
const PHONE = /^\d{10,15}$/;

/**
 * One payment out of the merchant's card balance. `uniqueId` is our own id: an answer names refused
 * rows by it.
 */
export type CashoutRow = {
  uniqueId: string;
  name: string;
  iban: string;
  bankName: string | null;
  amountMinor: bigint;
  taxNumber: string | null;
  /** The payee's telephone number, with or without the plus sign. */
  phone: string;
  description: string | null;
};

/**
 * Rows of one currency, because the hash key holds the sum of all amounts. `reverseKey` names the
 * webhook that reports returned money.
 */
export type CashoutContent = {
  currency: string;
  rows: readonly CashoutRow[];
  reverseKey: string | null;
};

export type CashoutBody = {
  fields: {
    cashout_type: number;
    cashout_data: Record<string, string | Raw>[];
    reverse_web_hook_key?: string;
  };
  hashParts: string[];
};

/**
 * @throws RangeError for no rows or too many, duplicate ids, an amount that is not positive, and an
 * invalid phone number.
 */
export function cashoutBody({ currency, rows, reverseKey }: CashoutContent): CashoutBody {
  const [first] = rows;
  if (first === undefined || rows.length > ROWS_MAX)
    throw new RangeError(`a card-balance payout has 1 to ${ROWS_MAX} rows`);
  if (
    new Set(rows.map((row) => row.uniqueId)).size !== rows.length ||
    rows.some((row) => row.uniqueId === '')
  )
    throw new RangeError('each row of a card-balance payout has an id of its own');
  if (rows.some((row) => typeof row.amountMinor !== 'bigint' || row.amountMinor <= 0n))
    throw new RangeError('a row of a card-balance payout has a positive amount');
  const data = rows.map((row) => cashoutRow(row, currency));
  const sum = rows.reduce((total, row) => total + row.amountMinor, 0n);
  return {
    fields: {
      cashout_type: TO_BANK,
      cashout_data: data,
      ...(reverseKey === null ? {} : { reverse_web_hook_key: reverseKey }),
    },
    // `published`: the sum of all, then iban, amount, currency and telephone of the first row;
    // amounts as the body writes them.
    hashParts: [
      toDecimal(sum),
      first.iban,
      toDecimal(first.amountMinor),
      currency,
      phoneDigits(first),
    ],
  };
}

function cashoutRow(row: CashoutRow, currency: string): Record<string, string | Raw> {
  return {
    unique_id: row.uniqueId,
    name_surname: row.name,
    iban: row.iban,
    ...(row.bankName === null ? {} : { name_of_bank: row.bankName }),
    amount: rawAmount(row.amountMinor),
    currency,
    ...(row.taxNumber === null ? {} : { id_tc_kn: row.taxNumber }),
    gsm_number: phoneDigits(row),
    ...(row.description === null ? {} : { description: row.description }),
  };
}

function phoneDigits(row: CashoutRow): string {
  const phone = row.phone.replace(/^\+/, '');
  if (!PHONE.test(phone)) throw new RangeError('not a telephone number');
  return phone;
}
