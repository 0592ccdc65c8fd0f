import * as fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { payoutFieldErrors, payoutSchema, readPayoutFormData, walletOf } from './schema.ts';
import {
  DESCRIPTION_MAX,
  descriptionLength,
  NAME_MAX,
  oneLine,
} from '#lib/form-fields/money-form.ts';

const ID = '0b8f3c9e-7a61-4d0a-9a52-3f6f5a1c2d3e';
const GOOD = {
  id: ID,
  wallet: '1000000001',
  iban: 'IBAN: tr33 0006 1005 1978 6457 8413 26',
  name: '  ABC  Dış Ticaret Ltd. ',
  taxNumber: '123 456 78 90',
  amount: '12.400',
  locale: 'tr',
  paymentType: '06',
  description: 'Mart faturası',
};

function errorsOf(changes: Record<string, unknown>): unknown[] {
  const result = payoutSchema.safeParse({ ...GOOD, ...changes });
  return result.success ? [] : payoutFieldErrors(result.error);
}

describe('a payout form', () => {
  it('becomes content in canonical form', () => {
    expect(payoutSchema.parse(GOOD)).toEqual({
      content: {
        id: ID,
        source: { kind: 'wallet', number: '1000000001' },
        iban: 'TR330006100519786457841326',
        name: 'ABC Dış Ticaret Ltd.',
        taxNumber: '1234567890',
        amountMinor: 1_240_000n,
        paymentType: '06',
        description: 'Mart faturası',
      },
      writtenCurrency: null,
      overrides: [],
      overrideReason: null,
    });
  });

  it('reads the amount in the language of the form', () => {
    expect(
      payoutSchema.parse({ ...GOOD, amount: '12,400', locale: 'en' }).content.amountMinor,
    ).toBe(1_240_000n);
    expect(errorsOf({ amount: '12,400', locale: 'tr' })).toEqual([
      {
        field: 'amount',
        code: 'amount_ambiguous',
        params: { first: '12.400,00', second: '12,40' },
      },
    ]);
    expect(payoutSchema.parse({ ...GOOD, amount: '€ 12.400,00' }).writtenCurrency).toBe('EUR');
  });

  test.each<[Record<string, unknown>, unknown]>([
    [{ id: 'x' }, { field: 'id', code: 'id_invalid', params: {} }],
    [{ wallet: ' ' }, { field: 'wallet', code: 'wallet_required', params: {} }],
    [{ wallet: '12; DROP' }, { field: 'wallet', code: 'wallet_invalid', params: {} }],
    [
      { iban: 'TR33 0006 1005 1978 6457 84' },
      { field: 'iban', code: 'iban_incomplete', params: { have: 22, need: 26 } },
    ],
    [
      { iban: 'TR33 OOO6' },
      { field: 'iban', code: 'iban_bad_character', params: { character: 'O', at: 5 } },
    ],
    [{ iban: 'DE89370400440532013000' }, { field: 'iban', code: 'iban_not_tr', params: {} }],
    [
      { iban: 'TR330006100519786457841327' },
      { field: 'iban', code: 'iban_check_digits', params: {} },
    ],
    [{ name: 'A' }, { field: 'name', code: 'name_too_short', params: { min: 2 } }],
    [
      { name: 'x'.repeat(NAME_MAX + 1) },
      { field: 'name', code: 'name_too_long', params: { max: NAME_MAX, have: NAME_MAX + 1 } },
    ],
    [{ name: 'Ali\u0000Veli' }, { field: 'name', code: 'name_control_characters', params: {} }],
    [{ name: 'Ali \ud83d' }, { field: 'name', code: 'name_control_characters', params: {} }],
    [{ name: 'Ali \u202eileV' }, { field: 'name', code: 'name_control_characters', params: {} }],
    [
      { taxNumber: '12345' },
      {
        field: 'taxNumber',
        code: 'tax_incomplete',
        params: { have: 5, need: 10, expected: 'VKN' },
      },
    ],
    [
      { taxNumber: '10000000147' },
      { field: 'taxNumber', code: 'tax_check_digits', params: { expected: 'TCKN' } },
    ],
    [{ amount: '' }, { field: 'amount', code: 'amount_empty', params: {} }],
    [{ amount: '0,00' }, { field: 'amount', code: 'amount_zero', params: {} }],
    [{ amount: '-5' }, { field: 'amount', code: 'amount_negative', params: {} }],
    [{ amount: '1,2345' }, { field: 'amount', code: 'amount_too_many_decimals', params: {} }],
    [
      { amount: '9999999999' },
      { field: 'amount', code: 'amount_too_large', params: { max: '999.999.999,00' } },
    ],
    [{ paymentType: '' }, { field: 'paymentType', code: 'payment_type_required', params: {} }],
    [
      { description: 'x'.repeat(DESCRIPTION_MAX + 1) },
      {
        field: 'description',
        code: 'description_too_long',
        params: { max: DESCRIPTION_MAX, have: DESCRIPTION_MAX + 1 },
      },
    ],
    [
      { description: 'a\u0007b' },
      { field: 'description', code: 'description_control_characters', params: {} },
    ],
    [
      { overrides: ['duplicate'] },
      { field: 'overrideReason', code: 'reason_required', params: {} },
    ],
    [
      { overrides: ['duplicate'], overrideReason: 'kısa' },
      { field: 'overrideReason', code: 'reason_too_short', params: { min: 10, have: 4 } },
    ],
    [
      { overrides: ['duplicate'], overrideReason: `kısa${'\u202e\u0000'.repeat(9)}` },
      { field: 'overrideReason', code: 'reason_too_short', params: { min: 10, have: 4 } },
    ],
    [
      { overrides: ['duplicate'], overrideReason: 'x'.repeat(501) },
      { field: 'overrideReason', code: 'reason_too_long', params: { max: 500, have: 501 } },
    ],
  ])('%j is refused by a code of its field', (changes, error) => {
    expect(errorsOf(changes)).toEqual([error]);
  });

  it('names every wrong field at once, in the order of the form', () => {
    const result = payoutSchema.safeParse({});
    const fields = result.success
      ? []
      : payoutFieldErrors(result.error).map((error) => error.field);
    expect(fields).toEqual(['id', 'iban', 'name', 'taxNumber', 'wallet', 'amount', 'paymentType']);
  });

  it('keeps ticked warnings with a chip or a sentence as the reason, and drops a reason for nothing', () => {
    expect(
      payoutSchema.parse({
        ...GOOD,
        overrides: ['duplicate', 'duplicate', 'DROP TABLE', 7],
        overrideReason: 'advance',
      }),
    ).toMatchObject({
      overrides: ['duplicate'],
      overrideReason: 'advance',
    });
    expect(
      payoutSchema.parse({
        ...GOOD,
        overrides: 'last_returned',
        overrideReason: 'IBAN banka ile doğrulandı',
      }).overrides,
    ).toEqual(['last_returned']);
    expect(
      payoutSchema.parse({ ...GOOD, overrideReason: 'boşuna yazılmış bir neden' }).overrideReason,
    ).toBeNull();
  });

  it('is read from the browser with several ticks of one name', () => {
    const form = new FormData();
    for (const [name, value] of Object.entries(GOOD)) form.set(name, value);
    form.append('overrides', 'duplicate');
    form.append('overrides', 'last_returned');
    form.set('overrideReason', 'salary');
    expect(payoutSchema.parse(readPayoutFormData(form))).toMatchObject({
      overrides: ['duplicate', 'last_returned'],
      overrideReason: 'salary',
      content: { id: ID },
    });
  });

  it('of any shape is refused with known fields, never with an exception', () => {
    for (const input of [null, undefined, 'x', 7, [], () => 1])
      expect(payoutSchema.safeParse(input).success).toBe(false);
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.constantFrom(...Object.keys(GOOD), 'overrides', 'overrideReason'),
          fc.anything(),
        ),
        (input) => {
          const result = payoutSchema.safeParse(input);
          return (
            result.success ||
            payoutFieldErrors(result.error).every(
              (error) => /^[a-z_]+$/.test(error.code) && typeof error.field === 'string',
            )
          );
        },
      ),
    );
  });

  it('gives the same content when its own content is submitted again', () => {
    const { content } = payoutSchema.parse(GOOD);
    const typed = { ...content, wallet: walletOf(content.source), amount: '12.400,00' };
    expect(payoutSchema.parse({ ...typed, locale: 'tr' }).content).toEqual(content);
  });

  it('names its source: the wallet that was chosen, or the card balance', () => {
    const sourceOf = (wallet: string) =>
      payoutSchema.parse({ ...GOOD, wallet, phone: '905330000201' }).content.source;
    expect(sourceOf(' 1000000001 ')).toEqual({ kind: 'wallet', number: '1000000001' });
    expect(sourceOf(' card ')).toEqual({ kind: 'card_balance' });
  });
});

describe('a description', () => {
  it('counts Turkish letters as one, however they were typed', () => {
    expect(descriptionLength('ğüşıöçİĞÜŞ')).toBe(10);
    expect(descriptionLength('g\u0306u\u0308s\u0327')).toBe(3);
    expect(descriptionLength('  iki  boşluk\r\nve satır ')).toBe('iki boşluk ve satır'.length);
    expect(oneLine('\ufeffa\u00a0\u00a0b\u200b')).toBe('a b');
  });
});
