import { createTranslator } from 'use-intl/core';
import { describe, expect, it, test } from 'vitest';
import { LOCALES, type Locale } from '#lib/values/locale.ts';
import english from '../../messages/en/payout-errors.json' with { type: 'json' };
import turkish from '../../messages/tr/payout-errors.json' with { type: 'json' };
import { findingValues } from '#lib/payment-checks/finding-values.ts';
import { SAMPLES } from './rules.samples.ts';
import { checkPayout, FINDING_CODES, type FindingCode, type PayoutFacts } from './rules.ts';
import { PAYOUT_ERROR_CODES } from './schema.ts';
import { OVERRIDE_REASONS } from '#lib/form-fields/money-form.ts';

const MESSAGES = { tr: turkish, en: english };
const NOW = '2026-03-06T11:00:00.000Z';
/** The parameters of all errors of the schema. */
const ERROR_PARAMS = {
  have: 22,
  need: 26,
  at: 5,
  character: 'O',
  min: 2,
  max: '999.999.999,00',
  expected: 'VKN',
  first: '1.500,00',
  second: '1,50',
};

function say(locale: Locale, key: string, values: Record<string, string | number>): string {
  const problems: unknown[] = [];
  const translate = createTranslator({
    locale,
    messages: { payoutErrors: MESSAGES[locale] } as Record<string, unknown>,
    namespace: 'payoutErrors',
    onError: (problem) => problems.push(problem),
  });
  const text = translate(key as never, values as never) as string;
  expect(problems).toEqual([]);
  return text;
}

function sayFinding(locale: Locale, facts: PayoutFacts, code: FindingCode): string {
  const finding = checkPayout(facts).find((one) => one.code === code);
  if (finding === undefined) throw new Error(`no ${code}`);
  return say(locale, `findings.${code}`, findingValues(finding, { locale, now: NOW }));
}

describe.each(LOCALES)('in %s', (locale) => {
  test.each(PAYOUT_ERROR_CODES)('the error %s has a text', (code) => {
    expect(say(locale, `errors.${code}`, ERROR_PARAMS)).toMatch(/\S.{4,}/);
  });

  test.each(SAMPLES)('the finding $code has a text that its own values fill', ({ code, facts }) => {
    const text = sayFinding(locale, facts, code);
    expect(text).toMatch(/\S.{4,}/);
    expect(text).not.toMatch(/[{}]|undefined|NaN|\bTRY ?\d|\d{4}-\d{2}/);
  });

  it('there is no text without a code', () => {
    expect(Object.keys(MESSAGES[locale].errors)).toEqual([...PAYOUT_ERROR_CODES]);
    expect(Object.keys(MESSAGES[locale].findings)).toEqual([...FINDING_CODES]);
    expect(Object.keys(MESSAGES[locale].reasons)).toEqual([...OVERRIDE_REASONS]);
  });
});

describe('sentences', () => {
  const facts = (code: FindingCode): PayoutFacts =>
    SAMPLES.find((sample) => sample.code === code)?.facts as PayoutFacts;

  test.each([
    [22, "26 karakterin 22'si yazıldı"],
    [0, 'IBAN yazılmadı'],
    [3, "26 karakterin 3'ü yazıldı"],
    [6, "26 karakterin 6'sı yazıldı"],
    [9, "26 karakterin 9'u yazıldı"],
    [10, "26 karakterin 10'u yazıldı"],
    [11, "26 karakterin 11'i yazıldı"],
    [20, "26 karakterin 20'si yazıldı"],
    [25, "26 karakterin 25'i yazıldı"],
  ])('%d of 26 characters carries the right Turkish ending', (have, expected) => {
    expect(say('tr', 'errors.iban_incomplete', { have, need: 26 })).toBe(expected);
  });

  it('speak of money, days and accounts as the reader writes them', () => {
    expect(sayFinding('tr', facts('duplicate'), 'duplicate')).toBe(
      "Aynı IBAN'a aynı tutar son 7 günde gönderildi veya hazırlandı: " +
        '₺12.400,00, 2 Mar 2026 12:00, tamamlandı · Ayşe T.',
    );
    expect(sayFinding('en', facts('duplicate'), 'duplicate')).toBe(
      'The same amount was sent or prepared for this IBAN in the last 7 days: ' +
        '₺12,400.00, 2 Mar 2026 12:00, completed · Ayşe T.',
    );
    expect(sayFinding('tr', facts('same_iban_wait'), 'same_iban_wait')).toBe(
      "Aynı IBAN'a 43 sn sonra gönderilebilir",
    );
    expect(sayFinding('tr', facts('payee_other_iban'), 'payee_other_iban')).toContain(
      'Önceki: TR47 0000 1001 0000 0350 9300 01',
    );
    expect(sayFinding('tr', facts('last_returned'), 'last_returned')).toMatch(
      /bankadan geri döndü: ₺10\.000,00, 2 Mar 2026 12:00 · “Hesap kapalı”$/,
    );
    expect(sayFinding('en', facts('insufficient_balance'), 'insufficient_balance')).toBe(
      'Not enough balance: ₺10,000.00 available, ₺2,400.00 short',
    );
  });
});
