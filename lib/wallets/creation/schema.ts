import * as z from 'zod';
import { oneLine, UNSEEN } from '#lib/form-fields/money-form.ts';

/**
 * Validates the form for a new wallet: the form as submitted → its content, or field errors as
 * codes. Pure.
 */

/** Limit unknown (not published); the provider answers 999 when it is exceeded. */
export const WALLET_NAME_MAX = 100;
/**
 * Currencies that merchants here use. Whether a provider supports one is known only by its
 * response.
 */
export const WALLET_CURRENCIES = ['TRY', 'USD', 'EUR', 'GBP', 'CHF'] as const;

export const WALLET_FIELDS = ['name', 'currency'] as const;
export type WalletField = (typeof WALLET_FIELDS)[number];
export const WALLET_ERROR_CODES = [
  'name_required',
  'name_too_long',
  'name_control_characters',
  'name_taken',
  'currency_required',
] as const;
export type WalletErrorCode = (typeof WALLET_ERROR_CODES)[number];

/** `id` comes from the form: submitting the same form again means the same wallet. */
export type WalletForm = { id: string; name: string; currency: string; fastIban: boolean };

const text = z.string().catch('');

export const walletSchema = z.object({
  id: z.uuid(),
  name: text.transform((typed, context) => {
    const fail = (message: WalletErrorCode): typeof z.NEVER => {
      context.addIssue({ code: 'custom', message });
      return z.NEVER;
    };
    if (UNSEEN.test(typed.trim())) return fail('name_control_characters');
    const name = oneLine(typed);
    if (name === '') return fail('name_required');
    return Array.from(name).length > WALLET_NAME_MAX ? fail('name_too_long') : name;
  }),
  currency: text.pipe(
    z.string().regex(/^[A-Z]{3}$/, 'currency_required' satisfies WalletErrorCode),
  ),
  fastIban: z
    .unknown()
    .optional()
    .transform((value) => value === 'on'),
});
