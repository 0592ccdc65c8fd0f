import * as z from 'zod';
import { LOCALES } from '#lib/values/locale.ts';
import type { Minor } from '#lib/values/money.ts';
import { isTransfer } from '#lib/movements/kinds.ts';
import type { TransferKindName } from '#lib/movements/kinds.ts';
import {
  field,
  overrideCodes,
  readAmount,
  readDescription,
  readId,
  readName,
  readPaymentType,
  readReason,
  readWallet,
  WALLET_NUMBER,
} from '#lib/form-fields/money-form.ts';
import type { PayoutErrorCode } from '#lib/payouts/schema.ts';
import { readAccount } from './person.ts';
import { readPhone } from '#lib/form-fields/phone.ts';
import type { PersonKey } from '#lib/values/person-key.ts';
import type { PhoneError } from '#lib/form-fields/phone.ts';

/**
 * The transfer form: submitted fields → content, or field errors as codes (texts in "payoutErrors"
 * and "transferErrors"). Amount, description and other common fields are read as in a payout. Pure.
 */

export const TRANSFER_FIELDS = [
  'id',
  'kind',
  'wallet',
  'phone',
  'account',
  'name',
  'toWallet',
  'amount',
  'paymentType',
  'description',
  'overrideReason',
] as const;
export type TransferField = (typeof TRANSFER_FIELDS)[number];

export const TRANSFER_ERROR_CODES = [
  'kind_required',
  'phone_required',
  'phone_not_digits',
  'phone_incomplete',
  'phone_country',
  'account_required',
  'account_invalid',
  'person_not_checked',
  'to_wallet_required',
  'to_wallet_invalid',
  'to_own_required',
  'same_wallet',
] as const;
export type TransferErrorCode = PayoutErrorCode | (typeof TRANSFER_ERROR_CODES)[number];

export type TransferFieldError = {
  field: TransferField;
  code: TransferErrorCode;
  params: Record<string, string | number>;
};

/**
 * `toWallet`: for a person, the wallet that the form showed, which the server queries again;
 * otherwise as typed or picked. `name` and `paymentType` are empty between own wallets.
 */
export type TransferTyped = {
  id: string;
  kind: TransferKindName;
  wallet: string;
  key: PersonKey | null;
  toWallet: string;
  name: string;
  amountMinor: Minor;
  paymentType: string;
  description: string;
};

export type TransferForm = {
  content: TransferTyped;
  writtenCurrency: string | null;
  overrides: string[];
  overrideReason: string | null;
};

/** The text fields of the form. `by`: 'phone' or 'account'. */
export const TRANSFER_TEXTS = [
  'kind',
  'wallet',
  'by',
  'country',
  'phone',
  'account',
  'name',
  'toWallet',
  'amount',
  'paymentType',
  'description',
] as const;

export const transferSchema = z
  .preprocess(
    (input) => (typeof input === 'object' && input !== null && !Array.isArray(input) ? input : {}),
    z.object({
      id: field,
      kind: field,
      wallet: field,
      by: field,
      country: field,
      phone: field,
      account: field,
      name: field,
      toWallet: field,
      amount: field,
      paymentType: field,
      description: field,
      locale: z.enum(LOCALES).catch('tr'),
      overrides: z.unknown().optional().transform(overrideCodes),
      overrideReason: field,
    }),
  )
  .transform((raw, context): TransferForm => {
    let failed = false;
    const fail = (
      name: TransferField,
      code: TransferErrorCode,
      params: Record<string, string | number> = {},
    ): null => {
      failed = true;
      context.addIssue({ code: 'custom', path: [name], message: code, params });
      return null;
    };
    const kind = isTransfer(raw.kind) ? raw.kind : fail('kind', 'kind_required');
    const amount = readAmount(raw.amount, raw.locale, fail);
    const wallet = readWallet(raw.wallet, fail);
    const content = {
      id: readId(raw.id, fail),
      kind,
      wallet,
      key: kind === 'transfer_person' ? readKey(raw, fail) : null,
      toWallet: readReceiver(raw.toWallet, wallet, kind, fail),
      name: kind === 'transfer_own' ? '' : readName(raw.name, fail),
      amountMinor: amount?.minor ?? null,
      paymentType: kind === 'transfer_own' ? '' : readPaymentType(raw.paymentType, fail),
      description: readDescription(raw.description, fail),
    };
    const overrideReason = raw.overrides.length === 0 ? null : readReason(raw.overrideReason, fail);
    if (failed) return z.NEVER;
    // Safe cast: every null above was reported as a failure, except the key of a non-person.
    return {
      content: content as TransferTyped,
      writtenCurrency: amount?.written ?? null,
      overrides: raw.overrides,
      overrideReason,
    };
  });

/**
 * Converts a browser form to the schema's input; ticked findings are several fields with one name.
 */
export function readTransferFormData(form: FormData): Record<string, unknown> {
  return {
    ...Object.fromEntries(
      ['id', 'locale', 'overrideReason', ...TRANSFER_TEXTS].map((name) => [name, form.get(name)]),
    ),
    overrides: form.getAll('overrides'),
  };
}

/** The field errors of a refused form, in the order of the fields. */
export function transferFieldErrors(error: z.ZodError): TransferFieldError[] {
  const errors = error.issues.map((issue) => ({
    field: issue.path[0] as TransferField,
    code: issue.message as TransferErrorCode,
    params: issue.code === 'custom' ? ((issue.params ?? {}) as TransferFieldError['params']) : {},
  }));
  return errors.sort((a, b) => TRANSFER_FIELDS.indexOf(a.field) - TRANSFER_FIELDS.indexOf(b.field));
}

type Fail = (field: TransferField, code: TransferErrorCode) => null;

function readKey(
  { by, country, phone, account }: Record<'by' | 'country' | 'phone' | 'account', string>,
  fail: Fail,
): PersonKey | null {
  if (by === 'account') {
    const read = readAccount(account);
    return 'error' in read ? fail('account', read.error) : { by: 'account', ...read };
  }
  const read = readPhone(country, phone);
  return 'error' in read
    ? fail('phone', read.error satisfies PhoneError)
    : { by: 'phone', ...read };
}

function readReceiver(
  text: string,
  wallet: string | null,
  kind: TransferKindName | null,
  fail: Fail,
): string | null {
  const number = text.replace(/\s/gu, '');
  // A person's wallet comes from the check, so without one the error belongs to the name field.
  if (number === '')
    return fail(
      kind === 'transfer_person' ? 'name' : 'toWallet',
      kind === 'transfer_person'
        ? 'person_not_checked'
        : kind === 'transfer_own'
          ? 'to_own_required'
          : 'to_wallet_required',
    );
  if (!WALLET_NUMBER.test(number)) return fail('toWallet', 'to_wallet_invalid');
  return number === wallet ? fail('toWallet', 'same_wallet') : number;
}
