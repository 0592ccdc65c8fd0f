import { payoutFieldErrors, payoutSchema } from '#lib/payouts/schema.ts';
import type { PayoutForm } from '#lib/payouts/schema.ts';
import type { Finding } from '#lib/payouts/rules.ts';
import { parseDecimal } from '#lib/values/money.ts';
import type { PayoutBody, ProblemAnswer } from './schema.ts';

/** Between the words of the API and those of the payout form: the same readers judge both. Pure. */

type FieldError = NonNullable<ProblemAnswer['errors']>[number];
type ApiFinding = NonNullable<ProblemAnswer['findings']>[number];

const NAMES: Readonly<Record<string, string>> = {
  taxNumber: 'tax_number',
  paymentType: 'payment_type',
  overrideReason: 'override_reason',
};

export function apiField(field: string): string {
  return NAMES[field] ?? field;
}

export type ReadBody = { form: PayoutForm } | { errors: FieldError[] };

/** The form of a payout that this body stands for; `id`: what its Idempotency-Key was bound to. */
export function formOf(body: PayoutBody, id: string): ReadBody {
  const read = payoutSchema.safeParse({
    id,
    wallet: body.wallet,
    iban: body.iban,
    name: body.name,
    taxNumber: body.tax_number,
    amount: body.amount,
    // The notation with a decimal point.
    locale: 'en',
    paymentType: body.payment_type,
    description: body.description,
    overrides: body.overrides ?? [],
    overrideReason: body.override_reason ?? '',
  });
  if (!read.success)
    return {
      errors: payoutFieldErrors(read.error).map(({ field, code, params }) => ({
        field: apiField(field),
        code,
        params,
      })),
    };
  const form = { ...read.data, writtenCurrency: body.currency };
  if (form.content.amountMinor !== parseDecimal(body.amount))
    throw new Error('an amount of the API was read as another one');
  return { form };
}

/** The findings that keep a payout from being stored. */
export function findingsOf(
  findings: readonly Finding[],
  overrides: readonly string[],
): ApiFinding[] {
  return findings.flatMap(({ code, level, field, params }): ApiFinding[] =>
    level === 'block' || (level === 'warn' && !overrides.includes(code))
      ? [{ code, level, field: apiField(field), params }]
      : [],
  );
}
