import { foldForSearch } from '#lib/values/turkish.ts';

/**
 * Who a transfer to a person is for: how they are found, and whether the masked name that comes
 * back is theirs. Pure.
 */

/**
 * What the provider is asked by: a phone number or the number of a personal account. Digits only.
 */
export type PersonKey =
  | { by: 'phone'; country: string; phone: string }
  | { by: 'account'; account: string };

/** What it answered. `unchecked`: nobody could say; then nothing is sent. */
export type PersonFound =
  | { kind: 'found'; wallet: string; name: string | null }
  | { kind: 'nobody' }
  | { kind: 'unchecked' };

export type NameFit = 'fits' | 'similar' | 'differs' | 'unnamed';

const TURKEY = '90';
const TURKISH_LENGTH = 10;
/** E.164: fifteen digits with the country's. */
const PHONE_DIGITS = /^\d{4,14}$/;
const COUNTRY_DIGITS = /^[1-9]\d{0,2}$/;
const ACCOUNT_DIGITS = /^\d{4,20}$/;

export type PhoneError =
  | 'phone_required'
  | 'phone_not_digits'
  | 'phone_incomplete'
  | 'phone_country';

/**
 * "+90 (533) 000 02 01", "0533…" and "533…" are one number of Turkey; other countries' are taken as
 * written.
 */
export function readPhone(
  countryText: string,
  text: string,
): { country: string; phone: string } | { error: PhoneError } {
  const country = countryText.replace(/[\s+]/gu, '').replace(/^00/, '');
  if (!COUNTRY_DIGITS.test(country)) return { error: 'phone_country' };
  const compact = text.replace(/[\s().\-\u00a0\u2010-\u2015]/gu, '');
  if (compact === '') return { error: 'phone_required' };
  const digits = compact.replace(/^\+/, '').replace(/^00/, '');
  if (!/^\d+$/.test(digits)) return { error: 'phone_not_digits' };
  const written =
    compact.startsWith('+') || compact.startsWith('00') || digits.length > TURKISH_LENGTH + 1;
  const phone = (
    written && digits.startsWith(country) ? digits.slice(country.length) : digits
  ).replace(/^0/, '');
  const whole = country === TURKEY ? phone.length === TURKISH_LENGTH : PHONE_DIGITS.test(phone);
  return whole ? { country, phone } : { error: 'phone_incomplete' };
}

export function readAccount(
  text: string,
): { account: string } | { error: 'account_required' | 'account_invalid' } {
  const account = text.replace(/[\s.\-\u00a0]/gu, '');
  if (account === '') return { error: 'account_required' };
  return ACCOUNT_DIGITS.test(account) ? { account } : { error: 'account_invalid' };
}

/** How a row remembers it: 'phone:90:5330000201', 'account:5510000001'. */
export function keyText(key: PersonKey): string {
  return key.by === 'phone' ? `phone:${key.country}:${key.phone}` : `account:${key.account}`;
}

export function readKeyText(text: string | null): PersonKey | null {
  const [by, first = '', second = ''] = text?.split(':') ?? [];
  if (by === 'phone') return { by, country: first, phone: second };
  return by === 'account' ? { by, account: first } : null;
}

/**
 * As people read it: "+90 533 000 02 01". The last two digits alone for whoever may not see it
 * whole.
 */
export function shownKey(key: PersonKey, whole = true): string {
  if (key.by === 'account') return whole ? key.account : `…${key.account.slice(-2)}`;
  if (!whole) return `+${key.country} … ${key.phone.slice(-2)}`;
  return `+${key.country} ${key.phone.replace(/^(\d{3})(\d{3})(\d{2})(\d{2})$/, '$1 $2 $3 $4')}`;
}

/**
 * Whether a name may be the one behind a mask ("El** Şa***"): word by word, by the letters that the
 * mask leaves open, without regard to Turkish marks. `similar`: some words fit and others do not,
 * or one of the two has more of them.
 */
export function nameFit(name: string, masked: string | null): NameFit {
  const hidden = wordsOf(masked ?? '');
  if (hidden.every((word) => /^\*+$/.test(word))) return 'unnamed';
  const words = wordsOf(name);
  const fitting = hidden.filter((mask) => words.some((word) => fitsMask(word, mask))).length;
  if (fitting === 0) return 'differs';
  const inOrder =
    words.length === hidden.length && words.every((word, index) => fitsMask(word, hidden[index]!));
  return inOrder ? 'fits' : 'similar';
}

function fitsMask(word: string, mask: string): boolean {
  const [start = '', end = ''] = [
    mask.slice(0, Math.max(0, mask.indexOf('*'))),
    mask.slice(mask.lastIndexOf('*') + 1),
  ];
  if (!mask.includes('*')) return word === mask;
  return word.startsWith(start) && word.endsWith(end) && word.length >= start.length + end.length;
}

function wordsOf(text: string): string[] {
  return foldForSearch(text)
    .split(' ')
    .filter((word) => word !== '');
}
