import * as z from 'zod';
import type { StepUpAsked } from '#lib/step-up/method.ts';
import { POLICY_CURRENCIES } from './rules.ts';

/** From which amount on an approval is signed, as a part of a policy. Pure. */

/**
 * One amount a currency; a currency without one asks for nothing. `signInAllowed`: a fresh sign-in
 * with password and code counts as well as a passkey.
 */
export type StepUpRule = {
  from: readonly { currency: string; fromMinor: bigint }[];
  signInAllowed: boolean;
};

const storedRule = z.strictObject({
  from: z
    .array(
      z.strictObject({
        currency: z.string().regex(/^[A-Z]{3}$/),
        fromMinor: z
          .string()
          .regex(/^[1-9][0-9]{0,17}$/)
          .transform((text) => BigInt(text)),
      }),
    )
    .min(1)
    .max(POLICY_CURRENCIES.length),
  signInAllowed: z.boolean(),
});

/** @throws ZodError for a value that no version of this program has stored */
export function readStepUpRule(stored: unknown): StepUpRule | null {
  return stored === null ? null : storedRule.parse(stored);
}

/** Null for no rule. The order of the keys is fixed, so that equal rules are one text. */
export function stepUpText(rule: StepUpRule | null): string | null {
  if (rule === null) return null;
  const from = rule.from
    .map(({ currency, fromMinor }) => ({ currency, fromMinor: fromMinor.toString() }))
    .toSorted((a, b) => (a.currency < b.currency ? -1 : 1));
  return JSON.stringify({ from, signInAllowed: rule.signInAllowed });
}

/** What is asked of whoever approves this amount. */
export function judgeStepUp(
  rule: StepUpRule | null,
  { currency, amountMinor }: { currency: string; amountMinor: bigint },
): StepUpAsked {
  const reached = rule?.from.some(
    (one) => one.currency === currency && amountMinor >= one.fromMinor,
  );
  if (rule === null || reached !== true) return 'none';
  return rule.signInAllowed ? 'any' : 'passkey';
}
