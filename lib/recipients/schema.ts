import { readName } from '#lib/form-fields/money-form.ts';
import { readIban, readTaxNumber } from '#lib/form-fields/payee.ts';
import type { PayoutErrorCode } from '#lib/payouts/schema.ts';

/** The fields of a recipient: same rules and error texts as in the payout form. Pure. */

type FieldError = {
  kind: 'error';
  code: PayoutErrorCode;
  params: Record<string, string | number>;
};
export type ReadField<T> = { kind: 'ok'; value: T } | FieldError;

const WALLET_NUMBER = /^\d{4,20}$/;

/** The tax number may be empty: a recipient that is paid by wallet only has none here. */
export function readRecipientFields(
  name: string,
  taxNumber: string,
): ReadField<{ name: string; taxNumber: string }> {
  const readOne = read(name, readName);
  if (readOne.kind === 'error') return readOne;
  const empty = taxNumber.trim() === '';
  const number = empty ? { kind: 'ok' as const, value: '' } : read(taxNumber, readTaxNumber);
  if (number.kind === 'error') return number;
  return { kind: 'ok', value: { name: readOne.value, taxNumber: number.value } };
}

/** Reads the number of an account: an IBAN as pasted, or a wallet number. */
export function readAccountNumber(text: string): ReadField<string> {
  const wallet = text.replace(/[\s.-]/g, '');
  return WALLET_NUMBER.test(wallet) ? { kind: 'ok', value: wallet } : read(text, readIban);
}

type Note = (field: string, code: PayoutErrorCode, params?: FieldError['params']) => null;

function read(
  text: string,
  reader: (text: string, fail: Note) => string | null,
): ReadField<string> {
  let error: FieldError | null = null;
  const value = reader(text.normalize('NFC'), (_field, code, params = {}) => {
    error = { kind: 'error', code, params };
    return null;
  });
  if (value !== null) return { kind: 'ok', value };
  return error ?? { kind: 'error', code: 'name_control_characters', params: {} };
}
