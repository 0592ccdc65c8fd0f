import * as z from 'zod';
import { readAmount } from '#lib/form-fields/money-form.ts';
import type { Locale } from '#lib/values/locale.ts';
import { CONDITIONS, POLICY_CLASSES, POLICY_CURRENCIES } from './rules.ts';
import type { PolicyRule } from './rules.ts';
import { RULE_WALLETS_MAX, RULES_MAX } from './stored-rules.ts';

/** One rule as the form holds it: what was typed, as text. */
export type TypedRule = z.infer<typeof typedRule>;

const typedRule = z.object({
  when: z.enum(CONDITIONS),
  classes: z.array(z.enum(POLICY_CLASSES)).min(1),
  wallets: z.string().max(400),
  amount: z.string().max(40),
  currency: z.enum(POLICY_CURRENCIES),
  approvals: z.enum(['1', '2']),
  who: z.enum(['approver', 'owner']),
});
const typedRules = z.array(z.unknown()).max(RULES_MAX);

/** The rules of a form, or the number of the first one that cannot be read. Pure. */
export function readTypedRules(
  json: string,
  locale: Locale,
): { kind: 'rules'; rules: PolicyRule[] } | { kind: 'incomplete'; number: number } {
  const typed = typedRules.safeParse(parsed(json));
  if (!typed.success) return { kind: 'incomplete', number: 1 };
  const rules: PolicyRule[] = [];
  for (const [index, one] of typed.data.entries()) {
    const rule = ruleOf(one, locale);
    if (rule === null) return { kind: 'incomplete', number: index + 1 };
    rules.push(rule);
  }
  return { kind: 'rules', rules };
}

function ruleOf(typed: unknown, locale: Locale): PolicyRule | null {
  const read = typedRule.safeParse(typed);
  if (!read.success) return null;
  const { amount, wallets, currency, approvals, ...rule } = read.data;
  const typedAmount = readAmount(amount, locale, () => null);
  const numbers = [...new Set(wallets.split(/[\s,;]+/).filter((one) => one !== ''))];
  const isReadable =
    typedAmount !== null &&
    (typedAmount.written === null || typedAmount.written === currency) &&
    numbers.length <= RULE_WALLETS_MAX &&
    numbers.every((number) => /^[0-9]{4,20}$/.test(number));
  if (!isReadable) return null;
  return {
    classes: [...new Set(rule.classes)],
    wallets: numbers,
    when: rule.when,
    currency,
    fromMinor: typedAmount.minor,
    approvals: approvals === '1' ? 1 : 2,
    who: rule.who,
  };
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}
