import { checkIban } from '#lib/values/iban.ts';
import { checkTaxNumber } from '#lib/values/tax-number.ts';
import type { IbanError } from '#lib/values/iban.ts';
import type { TaxNumberError } from '#lib/values/tax-number.ts';
import type { Fail } from './money-form.ts';

export function readIban(
  text: string,
  fail: Fail<'iban', `iban_${IbanError['code']}`>,
): string | null {
  const check = checkIban(text);
  if (check.kind === 'ok') return check.iban;
  const { kind: _kind, code, ...params } = check;
  return fail('iban', `iban_${code}`, params);
}

export function readTaxNumber(
  text: string,
  fail: Fail<'taxNumber', `tax_${TaxNumberError['code']}`>,
): string | null {
  const check = checkTaxNumber(text);
  if (check.kind === 'ok') return check.value;
  const { kind: _kind, code, ...params } = check;
  return fail('taxNumber', `tax_${code}`, params);
}
