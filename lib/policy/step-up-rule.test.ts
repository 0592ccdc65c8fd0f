import { describe, expect, it } from 'vitest';
import { readTypedStepUp } from './step-up-form.ts';
import { judgeStepUp, readStepUpRule, stepUpText } from './step-up-rule.ts';

const RULE = { from: [{ currency: 'TRY', fromMinor: 5_000_000n }], signInAllowed: false };

describe('from which amount an approval is signed', () => {
  it('is counted a currency, the amount itself included', () => {
    const ask = (amountMinor: bigint, currency = 'TRY', rule: typeof RULE | null = RULE) =>
      judgeStepUp(rule, { amountMinor, currency });
    expect([ask(4_999_999n), ask(5_000_000n), ask(9_000_000n, 'USD')]).toEqual([
      'none',
      'passkey',
      'none',
    ]);
    expect(ask(5_000_000n, 'TRY', null)).toBe('none');
    expect(ask(5_000_000n, 'TRY', { ...RULE, signInAllowed: true })).toBe('any');
  });

  it('is stored as one text and read back', () => {
    const two = { ...RULE, from: [...RULE.from, { currency: 'EUR', fromMinor: 1n }] };
    expect(stepUpText(two)).toBe(stepUpText({ ...two, from: two.from.toReversed() }));
    expect(readStepUpRule(JSON.parse(stepUpText(RULE)!))).toEqual(RULE);
    expect([stepUpText(null), readStepUpRule(null)]).toEqual([null, null]);
    expect(() => readStepUpRule({ from: [] })).toThrow();
  });

  it('is read from the form in the person’s language', () => {
    const typed = (from: object[]) => JSON.stringify({ from, signInAllowed: true });
    expect(readTypedStepUp(typed([{ currency: 'TRY', amount: '50.000,00' }]), 'tr')).toEqual({
      ...RULE,
      signInAllowed: true,
    });
    expect(readTypedStepUp(typed([]), 'tr')).toBeNull();
    const twice = { currency: 'TRY', amount: '1' };
    for (const bad of [typed([{ currency: 'TRY', amount: 'x' }]), typed([twice, twice]), ''])
      expect(readTypedStepUp(bad, 'tr')).toBe('incomplete');
  });
});
