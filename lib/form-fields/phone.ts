export const TURKEY = '90';
const TURKISH_LENGTH = 10;

/** E.164: at most fifteen digits with the country code. */
const PHONE_DIGITS = /^\d{4,14}$/;
const COUNTRY_DIGITS = /^[1-9]\d{0,2}$/;

export type PhoneError =
  | 'phone_required'
  | 'phone_not_digits'
  | 'phone_incomplete'
  | 'phone_country';

/**
 * "+90 (533) 000 02 01", "0533…" and "533…" are one Turkish number; numbers of other countries are
 * read as written.
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
