import * as z from 'zod';
import { readAmount } from '#lib/form-fields/money-form.ts';
import type { Locale } from '#lib/values/locale.ts';
import { POLICY_CURRENCIES } from './rules.ts';
import type { StepUpRule } from './step-up-rule.ts';

/** The step-up as the form holds it: what was typed, as text. */
const typedStepUp = z.object({
  from: z
    .array(z.object({ currency: z.enum(POLICY_CURRENCIES), amount: z.string().max(40) }))
    .max(POLICY_CURRENCIES.length),
  signInAllowed: z.boolean(),
});

/** The rule of a form, null for none; `incomplete` for one that cannot be read. Pure. */
export function readTypedStepUp(json: string, locale: Locale): StepUpRule | null | 'incomplete' {
  const typed = typedStepUp.safeParse(parsed(json));
  if (!typed.success) return 'incomplete';
  const { from, signInAllowed } = typed.data;
  if (from.length === 0) return null;
  const amounts = from.flatMap(({ currency, amount }) => {
    const read = readAmount(amount, locale, () => null);
    const isReadable = read !== null && (read.written === null || read.written === currency);
    return isReadable ? [{ currency, fromMinor: read.minor }] : [];
  });
  const isDistinct = new Set(from.map((one) => one.currency)).size === from.length;
  return isDistinct && amounts.length === from.length
    ? { from: amounts, signInAllowed }
    : 'incomplete';
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}
