import { createTranslator } from 'use-intl/core';
import { describe, expect, it, test } from 'vitest';
import { LOCALES } from '#lib/values/locale.ts';
import type { Locale } from '#lib/values/locale.ts';
import { FINDING_CODES } from '#lib/payouts/rules.ts';
import { TRANSFER_CODES } from '#lib/providers/wallet/codes.ts';
import enErrors from '../../messages/en/transfer-errors.json' with { type: 'json' };
import enNewPayout from '../../messages/en/new-payout.json' with { type: 'json' };
import enPayout from '../../messages/en/payout.json' with { type: 'json' };
import enTransfer from '../../messages/en/transfer.json' with { type: 'json' };
import trErrors from '../../messages/tr/transfer-errors.json' with { type: 'json' };
import trPayout from '../../messages/tr/payout.json' with { type: 'json' };
import trTransfer from '../../messages/tr/transfer.json' with { type: 'json' };
import enNewTransfer from '../../messages/en/new-transfer.json' with { type: 'json' };
import { TRANSFER_FINDING_CODES } from './rules.ts';
import { TRANSFER_ERROR_CODES } from './schema.ts';

const WORDS = {
  tr: { errors: trErrors, transfer: trTransfer, payout: trPayout },
  en: { errors: enErrors, transfer: enTransfer, payout: enPayout },
};
type Words = { [key: string]: string | Words };

function pathsOf(words: Words, before = ''): string[] {
  return Object.entries(words).flatMap(([key, value]) =>
    typeof value === 'string' ? [`${before}${key}`] : pathsOf(value, `${before}${key}.`),
  );
}

function worded(locale: Locale, key: string): string {
  const problems: unknown[] = [];
  const values = {
    money: 'x',
    amount: '₺1,00',
    at: '6 Mar',
    masked: 'El**',
    name: 'Elif',
    from: 'TRY',
    to: 'USD',
    limit: '₺1',
    min: 1,
    max: 1,
    state: 'COMPLETED',
    maker: 'A',
    count: 1,
    days: 7,
    reason: 'none',
    returned: 'CONFIRMED',
    how: 'changed',
    by: 'A',
    otherIban: '1',
    iban: '2',
    times: 3,
    low: '₺1',
    high: '₺2',
  };
  const translate = createTranslator({
    locale,
    messages: WORDS[locale].errors as Record<string, unknown>,
    onError: (problem) => problems.push(problem),
  });
  const text = translate(key as never, values as never) as string;
  expect(problems).toEqual([]);
  return text;
}

describe.each(LOCALES)('in %s', (locale) => {
  test.each([...TRANSFER_ERROR_CODES])('the error %s has a text', (code) =>
    expect(worded(locale, `errors.${code}`)).toMatch(/\S.{4,}/),
  );
  test.each([...TRANSFER_FINDING_CODES])('the finding %s has a text', (code) =>
    expect(worded(locale, `findings.${code}`)).toMatch(/\S.{4,}/),
  );

  test.each(Object.keys(WORDS[locale].errors.findings))(
    'the finding %s is one that there is, and its text fills',
    (code) => {
      expect([...FINDING_CODES, ...TRANSFER_FINDING_CODES]).toContain(code);
      expect(worded(locale, `findings.${code}`)).not.toMatch(/IBAN|[{}]/);
    },
  );

  it('no transfer is called paid', () => {
    const own: Partial<Record<string, { title: string }>> = WORDS[locale].transfer.sentences;
    // Only a bank payout is refused by the one-minute rule, or is a row of a bulk payout.
    const {
      cancelled_refused: _ofBanks,
      queued_batch: _ofBatches,
      ...all
    } = WORDS[locale].payout.sentences;
    const titles = Object.entries(all).map(([name, { title }]) => own[name]?.title ?? title);
    expect(titles.filter((title) => /paid|payout|öde/i.test(title))).toEqual([]);
  });

  test.each(
    [...TRANSFER_CODES].filter(([, meaning]) => meaning === 'refused').map(([code]) => code),
  )('a refusal with %s is in words', (code) => {
    const reasons: Record<string, string> = {
      ...WORDS[locale].payout.reasons,
      ...WORDS[locale].transfer.reasons,
    };
    expect(reasons[code]).toMatch(/\S.{4,}/);
    expect(reasons[code]).not.toMatch(/IBAN|TCKN/);
  });
});

it("a transfer's page says in other words only what a page says at all", () => {
  const known = pathsOf(enPayout);
  const own = ['facts.foundBy', 'facts.foundName'];
  expect(
    pathsOf(enTransfer).filter(
      (path) => !known.includes(path) && !own.includes(path) && !path.startsWith('reasons.'),
    ),
  ).toEqual([]);
  const parts = [
    'kinds.',
    'person.',
    'business.',
    'own.',
    'review.toWallet',
    'review.masked',
    'review.phone',
    'review.account',
  ];
  expect(
    pathsOf(enNewTransfer).filter(
      (path) =>
        !pathsOf(enNewPayout).includes(path) && !parts.some((part) => path.startsWith(part)),
    ),
  ).toEqual([]);
});
