import { getTranslations } from 'next-intl/server';
import type { LoginWords } from './login-form.tsx';

const NAMES = [
  'title',
  'email',
  'password',
  'continue',
  'codeTitle',
  'code',
  'codeHint',
  'confirm',
  'resend',
  'resendIn',
  'expiresIn',
  'other',
  'going',
  'sheetTitle',
  'sheetText',
  'close',
] as const;
const FIELDS = ['email', 'password', 'code'] as const;
const ERRORS = [
  'wrong_credentials',
  'wrong_code',
  'code_expired',
  'too_many',
  'resend_later',
  'resend_no_more',
  'unavailable',
  'other_merchant',
  'disabled',
  'bad_input',
  'origin',
] as const;

/**
 * The sign-in's texts as plain strings with placeholders in braces, so that the sign-in page needs
 * no message library in the browser.
 */
export async function loginWords(): Promise<LoginWords> {
  const t = await getTranslations('login');
  return {
    ...Object.fromEntries(NAMES.map((name) => [name, t.raw(name) as string])),
    missing: Object.fromEntries(FIELDS.map((name) => [name, t.raw(`missing.${name}`) as string])),
    errors: Object.fromEntries(ERRORS.map((name) => [name, t.raw(`errors.${name}`) as string])),
  } as LoginWords;
}
