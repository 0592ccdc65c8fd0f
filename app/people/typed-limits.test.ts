import { expect, it } from 'vitest';
import { readAmount } from '#lib/form-fields/money-form.ts';
import { LOCALES } from '#lib/values/locale.ts';
import { typedLimits } from './typed-limits.ts';

it.each(LOCALES)('a limit that stands is in the form, and reads back as it is, in %s', (locale) => {
  const limits = [{ currency: 'USD', single: '10000.50', day: null }];
  const [first, ...others] = typedLimits(limits, locale);
  expect(first).toMatchObject({ currency: 'USD', day: '' });
  expect(readAmount(first!.single, locale, () => null)?.minor).toBe(1_000_050n);
  expect(others.map(({ currency }) => currency)).toEqual(['TRY', 'EUR', 'GBP', 'CHF']);
  for (const other of others) expect([other.single, other.day]).toEqual(['', '']);
});
