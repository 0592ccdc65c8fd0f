import { typesCard } from '#lib/values/card-number.ts';

/**
 * Validation of the saved-card forms: the form as submitted → its content, or the invalid field.
 * Pure; no error contains a value.
 */

/** The merchant's own whole number for a customer (`published`: integer; up to 19 digits). */
const CUSTOMER = /^[1-9]\d{0,18}$/;
const HOLDER_MAX = 100;
const CONTACT_MAX = 120;
const NUMBER = /^\d{12,19}$/;
const UNSEEN = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/u;

export const SAVED_FIELDS = [
  'customer',
  'name',
  'email',
  'phone',
  'holder',
  'number',
  'month',
  'year',
] as const;
export type SavedField = (typeof SAVED_FIELDS)[number];
export type FieldErrors = Partial<
  Record<
    SavedField,
    'customer' | 'number' | 'holder' | 'month' | 'year' | 'past' | 'text' | 'email'
  >
>;

export type Expiry = { month: string; year: string };
export type Registration = {
  customer: { number: string; name?: string; email?: string; phone?: string };
  holder: string;
  number: string;
  expiry: Expiry;
};
export type Read<T> = { kind: 'ok'; value: T } | { kind: 'errors'; errors: FieldErrors };

/**
 * A customer's number from a query string or a field; null when it is invalid, including a card
 * number entered by mistake.
 */
export function readCustomerNumber(text: unknown): string | null {
  if (typeof text !== 'string') return null;
  const number = text.trim();
  return CUSTOMER.test(number) && !typesCard(number) ? number : null;
}

/** `today`: in the workspace's zone, as YYYY-MM-DD. A card is valid until the end of its month. */
export function readRegistration(
  form: (name: SavedField) => string,
  today: string,
): Read<Registration> {
  const errors: FieldErrors = {};
  const customer = readCustomerNumber(form('customer'));
  if (customer === null) errors.customer = 'customer';
  const contact = {
    name: oneLine(form('name')),
    email: oneLine(form('email')),
    phone: oneLine(form('phone')),
  };
  for (const field of ['name', 'email', 'phone'] as const)
    if (!isText(contact[field], CONTACT_MAX)) errors[field] = 'text';
  if (contact.email !== '' && !/^\S+@\S+\.\S+$/.test(contact.email)) errors.email = 'email';
  const number = form('number').replace(/[ -]/g, '');
  if (!NUMBER.test(number)) errors.number = 'number';
  const holder = readHolder(form('holder'), errors);
  const expiry = readExpiry(form('month'), form('year'), today, errors);
  if (Object.keys(errors).length > 0 || customer === null) return { kind: 'errors', errors };
  const given = Object.fromEntries(
    Object.entries(contact).filter(([, value]) => value !== ''),
  ) as Partial<typeof contact>;
  return {
    kind: 'ok',
    value: { customer: { number: customer, ...given }, holder, number, expiry },
  };
}

/** New expiry and holder of a saved card; an empty holder keeps the old one. */
export function readChange(
  form: (name: 'holder' | 'month' | 'year') => string,
  today: string,
): Read<{ holder: string | null; expiry: Expiry }> {
  const errors: FieldErrors = {};
  const holder = form('holder').trim() === '' ? null : readHolder(form('holder'), errors);
  const expiry = readExpiry(form('month'), form('year'), today, errors);
  return Object.keys(errors).length > 0
    ? { kind: 'errors', errors }
    : { kind: 'ok', value: { holder, expiry } };
}

function readHolder(typed: string, errors: FieldErrors): string {
  const holder = oneLine(typed);
  if (holder === '' || !isText(holder, HOLDER_MAX)) errors.holder = 'holder';
  return holder;
}

/** Reads an expiry: '3' and '03' are March; '30' and '2030' are the same year. */
function readExpiry(month: string, year: string, today: string, errors: FieldErrors): Expiry {
  const expiry = {
    month: month.trim().padStart(2, '0'),
    year: /^\d{2}$/.test(year.trim()) ? `20${year.trim()}` : year.trim(),
  };
  if (!/^(?:0[1-9]|1[0-2])$/.test(expiry.month)) errors.month = 'month';
  if (!/^20\d{2}$/.test(expiry.year)) errors.year = 'year';
  if (
    errors.month === undefined &&
    errors.year === undefined &&
    `${expiry.year}-${expiry.month}` < today.slice(0, 7)
  )
    errors.year = 'past';
  return expiry;
}

/**
 * Whether the text of a name or a contact field may be stored: short enough, without control
 * characters, and no card number entered by mistake.
 */
function isText(text: string, max: number): boolean {
  return Array.from(text).length <= max && !UNSEEN.test(text) && !typesCard(text);
}

function oneLine(text: string): string {
  return text.normalize('NFC').replace(/\s+/gu, ' ').trim();
}
