import * as z from 'zod';
import { typesCard } from '#lib/values/card-number.ts';
import { LOCALES } from '#lib/values/locale.ts';
import type { Locale } from '#lib/values/locale.ts';
import { AMOUNT_MAX, formatAmount, parseAmount } from '#lib/values/money.ts';
import { oneLine, UNSEEN } from '#lib/form-fields/money-form.ts';
import { CHARGE_KINDS } from './content.ts';
import type { ChargeContent, ChargeKind } from './content.ts';

/**
 * Validation of a checkout form: the form as typed → its content, or errors by field as codes
 * (messages "charges", key "errors"). Pure.
 */

export const ITEMS_MAX = 50;
const NAME_MAX = 100;
const TEXT_MAX = 250;
const QUANTITY_MAX = 9_999;
export const INSTALLMENTS_MAX = 36;
/** `published` limits of the recurring fields. */
const RECURRING_COUNT = { min: 2, max: 121 };
const RECURRING_INTERVAL = { min: 1, max: 99 };
const PERIOD_MAX = 999;

export const CURRENCIES = ['TRY', 'USD', 'EUR'] as const;
export const CARD_PROGRAMS = [
  'WORLD',
  'BONUS',
  'MAXIMUM',
  'BANKKART_COMBO',
  'PARAF',
  'AXESS',
  'ADVANT',
  'CARD_FNS',
] as const;
export const CYCLES = ['day', 'month', 'year'] as const;
export const BILL_FIELDS = [
  'email',
  'phone',
  'address1',
  'address2',
  'city',
  'state',
  'postcode',
  'country',
] as const;

export const CHARGE_ERRORS = [
  'required',
  'too_long',
  'control_characters',
  'card_number',
  'amount',
  'amount_ambiguous',
  'quantity',
  'items_none',
  'total_differs',
  'email',
  'phone',
  'whole',
  'one_installment',
  'saved_card',
  'program_needed',
  'identity',
] as const;
export type ChargeError = (typeof CHARGE_ERRORS)[number];
export type FieldErrors = Record<
  string,
  { code: ChargeError; params?: Record<string, string | number> }
>;

const text = z
  .string()
  .max(2_000)
  .catch('')
  .transform((typed) => typed.normalize('NFC'));
const item = z.object({ name: text, description: text, price: text, quantity: text });
const typedCharge = z.object({
  id: z.uuid(),
  locale: z.enum(LOCALES).catch('tr'),
  kind: z.enum(CHARGE_KINDS),
  currency: z.enum(CURRENCIES),
  total: text,
  description: text,
  items: z.array(item).max(ITEMS_MAX),
  name: text,
  surname: text,
  email: text,
  phone: text,
  address1: text,
  address2: text,
  city: text,
  state: text,
  postcode: text,
  country: text,
  installments: text,
  commissionBy: z.enum(['merchant', 'user']).nullable().catch(null),
  cardProgram: z.enum(CARD_PROGRAMS).nullable().catch(null),
  hold: z.boolean(),
  verifyFirst: z.boolean(),
  recurring: z.boolean(),
  recurringCount: text,
  recurringCycle: z.enum(CYCLES).catch('month'),
  recurringInterval: text,
  insurance: z.boolean(),
  identityNumber: text,
  agriculture: z.boolean(),
  maturityPeriod: text,
  paymentFrequency: text,
  customerNumber: text,
  savedCard: text,
});
/** The form's raw field values. */
export type TypedCharge = z.input<typeof typedCharge>;
type Read = z.output<typeof typedCharge>;

export type ReadCharge =
  | { kind: 'read'; id: string; way: ChargeKind; amountMinor: bigint; content: ChargeContent }
  | { kind: 'errors'; errors: FieldErrors }
  | { kind: 'no_form' };

/**
 * The ways to pay to which the fields `hold`, `verifyFirst` and `savedCard` apply; for every other
 * way the field counts as empty.
 */
export const HOLDS: readonly ChargeKind[] = ['three_d', 'non_secure'];
export const VERIFIED: readonly ChargeKind[] = ['three_d', 'saved_three_d'];
export const SAVED: readonly ChargeKind[] = ['saved_three_d', 'saved_non_secure'];

export function readCharge(input: unknown): ReadCharge {
  const parsed = typedCharge.safeParse(input);
  if (!parsed.success) return { kind: 'no_form' };
  const form = parsed.data;
  const reader = new Reader(form.locale);
  const items = reader.items(form);
  const sum = items.reduce((all, one) => all + BigInt(one.priceMinor) * BigInt(one.quantity), 0n);
  const amountMinor = reader.amount('total', form.total, form.currency);
  if (amountMinor !== null && reader.isClean('items') && sum !== amountMinor)
    reader.fail('total', 'total_differs', { sum: formatAmount(sum, form.locale) });
  const content: ChargeContent = {
    currency: form.currency,
    items,
    description: reader.line('description', form.description, { needed: true, max: TEXT_MAX }),
    buyer: {
      name: reader.line('name', form.name, { needed: true }),
      surname: reader.line('surname', form.surname, { needed: true }),
    },
    bill: reader.bill(form),
    ...reader.payment(form),
  };
  return Object.keys(reader.errors).length > 0
    ? { kind: 'errors', errors: reader.errors }
    : { kind: 'read', id: form.id, way: form.kind, amountMinor: amountMinor!, content };
}

/**
 * Reads one field after the other and collects errors. Its return values are valid only when there
 * is no error.
 */
class Reader {
  readonly errors: FieldErrors = {};
  readonly #locale: Locale;

  constructor(locale: Locale) {
    this.#locale = locale;
  }

  fail(field: string, code: ChargeError, params?: Record<string, string | number>): void {
    this.errors[field] ??= { code, ...(params ? { params } : {}) };
  }

  isClean(prefix: string): boolean {
    return !Object.keys(this.errors).some((field) => field.startsWith(prefix));
  }

  line(
    field: string,
    typed: string,
    { needed = false, max = NAME_MAX }: { needed?: boolean; max?: number } = {},
  ): string {
    const line = oneLine(typed);
    if (UNSEEN.test(typed.trim().replace(/[\r\n\t]/g, ' '))) this.fail(field, 'control_characters');
    else if (line === '' && needed) this.fail(field, 'required');
    else if (Array.from(line).length > max) this.fail(field, 'too_long', { max });
    // A pasted card number is usually a mistake. It would be stored, and sent as free text.
    else if (typesCard(line)) this.fail(field, 'card_number');
    return line;
  }

  amount(field: string, typed: string, currency: string): bigint | null {
    const parsed = parseAmount(typed, this.#locale, currency);
    if (parsed.kind === 'ok') return parsed.minor;
    if (parsed.kind === 'ambiguous')
      this.fail(field, 'amount_ambiguous', {
        first: formatAmount(parsed.readings[0], this.#locale),
        second: formatAmount(parsed.readings[1], this.#locale),
      });
    else
      this.fail(field, parsed.code === 'empty' ? 'required' : 'amount', {
        max: formatAmount(AMOUNT_MAX, this.#locale),
      });
    return null;
  }

  whole(
    field: string,
    typed: string,
    { min, max }: { min: number; max: number },
    code: ChargeError = 'whole',
  ): number {
    const number = /^\d{1,4}$/.test(typed.trim()) ? Number(typed.trim()) : Number.NaN;
    if (!(number >= min && number <= max)) this.fail(field, code, { min, max });
    return number;
  }

  items(form: Read): ChargeContent['items'] {
    if (form.items.length === 0) this.fail('items', 'items_none');
    return form.items.map((one, index) => ({
      name: this.line(`items.${index}.name`, one.name, { needed: true }),
      description: this.line(`items.${index}.description`, one.description, { max: TEXT_MAX }),
      priceMinor: (this.amount(`items.${index}.price`, one.price, form.currency) ?? 0n).toString(),
      quantity:
        this.whole(
          `items.${index}.quantity`,
          one.quantity,
          { min: 1, max: QUANTITY_MAX },
          'quantity',
        ) || 0,
    }));
  }

  bill(form: Read): ChargeContent['bill'] {
    const isSaved = SAVED.includes(form.kind);
    const lines = BILL_FIELDS.map(
      (field) =>
        [
          field,
          this.line(field, form[field], {
            needed: isSaved && (field === 'email' || field === 'phone'),
          }),
        ] as const,
    );
    if (form.email.trim() !== '' && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(form.email.trim()))
      this.fail('email', 'email');
    if (form.phone.trim() !== '' && !/^\+?[\d ()-]{7,20}$/.test(form.phone.trim()))
      this.fail('phone', 'phone');
    return Object.fromEntries(lines.filter(([, line]) => line !== ''));
  }

  payment(
    form: Read,
  ): Omit<ChargeContent, 'currency' | 'items' | 'description' | 'buyer' | 'bill'> {
    const { kind } = form;
    const installments = this.whole('installments', form.installments, {
      min: 1,
      max: INSTALLMENTS_MAX,
    });
    if (form.recurring && installments > 1) this.fail('installments', 'one_installment');
    if (kind === 'saved_non_secure' && form.cardProgram === null)
      this.fail('cardProgram', 'program_needed');
    return {
      installments,
      ...(form.commissionBy && kind !== 'link' ? { commissionBy: form.commissionBy } : {}),
      ...(form.cardProgram && kind !== 'link' ? { cardProgram: form.cardProgram } : {}),
      ...(form.hold && HOLDS.includes(kind) ? { hold: true as const } : {}),
      ...(form.verifyFirst && VERIFIED.includes(kind) ? { verifyFirst: true as const } : {}),
      ...(form.recurring
        ? {
            recurring: {
              count: this.whole('recurringCount', form.recurringCount, RECURRING_COUNT),
              cycle: form.recurringCycle,
              interval: this.whole('recurringInterval', form.recurringInterval, RECURRING_INTERVAL),
            },
          }
        : {}),
      ...(form.insurance && kind === 'non_secure'
        ? { insurance: { identityNumber: this.#identity(form.identityNumber) } }
        : {}),
      ...(form.agriculture && kind === 'three_d'
        ? {
            agriculture: {
              maturityPeriod: this.whole('maturityPeriod', form.maturityPeriod, {
                min: 0,
                max: PERIOD_MAX,
              }),
              paymentFrequency: this.whole('paymentFrequency', form.paymentFrequency, {
                min: 0,
                max: PERIOD_MAX,
              }),
            },
          }
        : {}),
      ...(SAVED.includes(kind) ? { savedCard: this.#savedCard(form) } : {}),
    };
  }

  /** A TCKN of eleven digits or a VKN of ten (`published`). */
  #identity(typed: string): string {
    const digits = typed.replace(/\s/g, '');
    if (!/^\d{10,11}$/.test(digits)) this.fail('identityNumber', 'identity');
    return digits;
  }

  #savedCard(form: Read): { customerNumber: string; recordId: string } {
    const customerNumber = form.customerNumber.trim();
    if (!/^\d{1,19}$/.test(customerNumber) || !/^\d{1,39}$/.test(form.savedCard))
      this.fail('savedCard', 'saved_card');
    return { customerNumber, recordId: form.savedCard };
  }
}
