import { NOTHING_TYPED, readTyped } from '#lib/payouts/draft.ts';
import type { PayoutErrorCode } from '#lib/payouts/schema.ts';

/**
 * What may be written about a recipient: by the rules of the payout form, with its words for what
 * is wrong. Pure.
 */

export type ReadField<T> =
  | { kind: 'ok'; value: T }
  | { kind: 'error'; code: PayoutErrorCode; params: Record<string, string | number> };

const WALLET_NUMBER = /^\d{4,20}$/;

/** A tax number may be empty: who is paid by wallet alone has none here. */
export function readRecipientFields(
  name: string,
  taxNumber: string,
): ReadField<{ name: string; taxNumber: string }> {
  const { content, errors } = readTyped('', { ...NOTHING_TYPED, name, taxNumber }, 'tr');
  if (content.name === undefined)
    return { kind: 'error', ...(errors.name ?? { code: 'name_control_characters', params: {} }) };
  if (taxNumber.trim() === '') return { kind: 'ok', value: { name: content.name, taxNumber: '' } };
  if (content.taxNumber === undefined)
    return { kind: 'error', ...(errors.taxNumber ?? { code: 'tax_not_digits', params: {} }) };
  return { kind: 'ok', value: { name: content.name, taxNumber: content.taxNumber } };
}

/** An IBAN as people paste it, or the number of a wallet. */
export function readAccountNumber(text: string): ReadField<string> {
  const wallet = text.replace(/[\s.-]/g, '');
  if (WALLET_NUMBER.test(wallet)) return { kind: 'ok', value: wallet };
  const { content, errors } = readTyped('', { ...NOTHING_TYPED, iban: text }, 'tr');
  if (content.iban === undefined)
    return { kind: 'error', ...(errors.iban ?? { code: 'iban_not_tr', params: {} }) };
  return { kind: 'ok', value: content.iban };
}
