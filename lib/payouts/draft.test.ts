import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { minor } from '#lib/values/money.ts';
import { draftSums, findingSignature, judgeDraft, NOTHING_TYPED, readTyped } from './draft.ts';
import type { DraftFacts, FormWallet, TypedPayout } from './draft.ts';
import { payoutSchema } from './schema.ts';

const ID = '0b6f3c1e-9d1a-4f0a-8f4e-0a1b2c3d4e5f';
const WHOLE: TypedPayout = {
  wallet: '4410270001',
  iban: 'TR80 9999 9000 0000 0000 0000 01',
  name: ' Kardelen  Ambalaj ',
  taxNumber: '1234567890',
  phone: '',
  amount: '12.400,00',
  paymentType: '06',
  description: 'Mart faturası',
};
const WALLET: FormWallet = {
  number: '4410270001',
  currency: 'TRY',
  access: 'active',
  available: '96312.55',
  withdrawalLimit: '20000.00',
};
const NOW = '2026-03-06T11:00:00.000Z';
const facts = (more: Partial<DraftFacts> = {}): DraftFacts => ({
  wallet: WALLET,
  paymentType: { code: '06', descriptionMin: 0 },
  recipient: null,
  now: NOW,
  ...more,
});
const codes = (typed: TypedPayout, given: DraftFacts = facts()): string[] =>
  judgeDraft(readTyped(ID, typed, 'tr'), given).map((finding) => finding.code);

describe('a payout while it is typed', () => {
  test('an empty form judges nothing and errs in every required field', () => {
    const read = readTyped(ID, NOTHING_TYPED, 'tr');
    expect(read.content).toEqual({ id: ID, description: '' });
    expect(Object.keys(read.errors)).toEqual([
      'iban',
      'name',
      'taxNumber',
      'wallet',
      'amount',
      'paymentType',
    ]);
    expect(judgeDraft(read, facts({ wallet: null, paymentType: null }))).toEqual([]);
  });

  test('what is whole reads as the verb reads it', () => {
    const read = readTyped(ID, WHOLE, 'tr');
    const verb = payoutSchema.parse({
      id: ID,
      ...WHOLE,
      locale: 'tr',
      overrides: [],
      overrideReason: '',
    });
    expect(read.errors).toEqual({});
    expect(read.content).toEqual(verb.content);
  });

  test('whatever is typed, the parts that are read are the parts the verb would read', () => {
    const text = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 40 }),
      fc.constantFrom(...Object.values(WHOLE), '1.500', '1,500', 'TR33', '12345678901'),
    );
    const typed: fc.Arbitrary<TypedPayout> = fc.record({
      wallet: text,
      iban: text,
      name: text,
      taxNumber: text,
      phone: text,
      amount: text,
      paymentType: text,
      description: text,
    });
    fc.assert(
      fc.property(typed, fc.constantFrom('tr' as const, 'en' as const), (form, locale) => {
        const read = readTyped(ID, form, locale);
        const { id: _id, amountMinor, source, ...parts } = read.content;
        for (const field of Object.keys(parts)) expect(read.errors).not.toHaveProperty(field);
        expect(amountMinor === undefined).toBe(read.errors.amount !== undefined);
        expect(source === undefined).toBe(read.errors.wallet !== undefined);
        expect(
          payoutSchema.safeParse({ id: ID, ...form, locale, overrides: [], overrideReason: '' })
            .success,
        ).toBe(Object.keys(read.errors).length === 0);
      }),
    );
  });

  test('an amount with two readings is a question, not an amount', () => {
    const read = readTyped(ID, { ...WHOLE, amount: '1,500' }, 'tr');
    expect(read.content.amountMinor).toBeUndefined();
    expect(read.readings).toEqual([150_000n, 150n]);
  });

  test('a balance that was not just read stops the payout; a limit of the provider too', () => {
    expect(codes(WHOLE, facts({ wallet: { ...WALLET, available: null } }))).toContain(
      'balance_unknown',
    );
    expect(codes({ ...WHOLE, amount: '20.000,01' })).toContain('limit_exceeded');
  });

  test('nothing is said of a recipient who was not looked up', () => {
    expect(codes(WHOLE)).not.toContain('first_payment');
    expect(
      codes(
        WHOLE,
        facts({
          recipient: {
            recent: [],
            saved: null,
            foreign: [],
            lastSendToIbanAt: null,
            fee: null,
            at: NOW,
          },
        }),
      ),
    ).toContain('first_payment');
  });
});

describe('the sums of the summary', () => {
  const read = readTyped(ID, WHOLE, 'tr');

  test('count the highest fee seen, never the lowest', () => {
    const sums = draftSums(read, WALLET, { min: 600n, max: 800n, n: 41 });
    expect(sums).toMatchObject({ amount: 1_240_000n, leaves: 1_240_800n, after: 8_390_455n });
  });

  test('say nothing that is not known', () => {
    expect(
      draftSums(read, { ...WALLET, available: null, withdrawalLimit: null }, null),
    ).toMatchObject({ available: null, after: null, limit: null });
    expect(draftSums(readTyped(ID, NOTHING_TYPED, 'tr'), WALLET, null)).toMatchObject({
      amount: null,
      leaves: null,
      after: null,
    });
  });

  test('show a limit as the part this amount takes of it', () => {
    expect(draftSums(read, WALLET, null).limit).toEqual({
      left: minor(2_000_000n),
      after: 760_000n,
      share: 0.62,
    });
  });
});

test('a tick does not outlive what it was given to', () => {
  const finding = (money: string) =>
    ({
      code: 'duplicate',
      level: 'warn',
      field: 'amount',
      params: { amount: { money, currency: 'TRY' } },
      movementId: ID,
    }) as const;
  expect(findingSignature(finding('1.00'))).toBe(findingSignature(finding('1.00')));
  expect(findingSignature(finding('1.00'))).not.toBe(findingSignature(finding('2.00')));
});
