import * as z from 'zod';
import { LIMIT_REASONS } from './limits.ts';
import { CONDITIONS, POLICY_CLASSES } from './rules.ts';
import type { PolicyReason, PolicyRule } from './rules.ts';

/** Policy rules and reasons as stored: amounts as decimal digits of minor units. Pure. */

export const RULES_MAX = 20;
export const RULE_WALLETS_MAX = 20;

const minor = z
  .string()
  .regex(/^[1-9][0-9]{0,17}$/)
  .transform((text) => BigInt(text));
const applied = {
  when: z.enum(CONDITIONS),
  currency: z.string().regex(/^[A-Z]{3}$/),
  fromMinor: minor,
  approvals: z.literal([1, 2]),
  who: z.enum(['approver', 'owner']),
};
const rule = z.strictObject({
  classes: z.array(z.enum(POLICY_CLASSES)).min(1),
  wallets: z.array(z.string().regex(/^[0-9]{4,20}$/)).max(RULE_WALLETS_MAX),
  ...applied,
});
const rulesSchema = z.array(rule).max(RULES_MAX);
const reasonsSchema = z.array(
  z.strictObject({ ...applied, when: z.enum([...CONDITIONS, ...LIMIT_REASONS]) }),
);

/** @throws ZodError for a value that no version of this program has stored */
export function readRules(stored: unknown): PolicyRule[] {
  return rulesSchema.parse(stored);
}

/** @throws ZodError as above */
export function readReasons(stored: unknown): PolicyReason[] {
  return reasonsSchema.parse(stored);
}

/**
 * One text for equal rules, in whatever order their fields were written, so that two people can be
 * shown to have confirmed the same ones.
 */
export function storedText(rules: readonly PolicyRule[] | readonly PolicyReason[]): string {
  return JSON.stringify(rules, (_key, value: unknown) => {
    if (typeof value === 'bigint') return value.toString();
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  });
}
