import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readFailedTopUp } from '#lib/providers/wallet/top-ups.ts';
import { kindOf } from './kind.ts';
import { isNear, likelyWallet } from './likely-wallet.ts';
import type { OwnWallet } from './likely-wallet.ts';

const wallet = (number: string, name: string, more: Partial<OwnWallet> = {}): OwnWallet => ({
  number,
  name,
  currency: 'TRY',
  iban: null,
  topUpDefault: false,
  ...more,
});
const MAIN = wallet('4410270001', 'Ana Cüzdan', {
  topUpDefault: true,
  iban: 'TR320087000009900441027000',
});
const BRANCH = wallet('7788123456', 'Şube Kasası');
const PAY = wallet('5512004499', 'Maaş Ödemeleri');
const DOLLAR = wallet('4410270005', 'Dolar İthalat', { currency: 'USD' });
const OWN = [MAIN, BRANCH, PAY, DOLLAR];
const guess = (
  description: string | null,
  more: { wallet?: string | null; currency?: string | null } = {},
) => {
  const found = likelyWallet({ wallet: null, currency: 'TRY', description, ...more }, OWN);
  return found && [found.wallet, found.confidence, found.because];
};

describe('the likely wallet of money that could not be loaded', () => {
  test('is the one that the notice names', () => {
    expect(guess('Şube Kasası', { wallet: PAY.number })).toEqual([PAY.number, 'named', 'notice']);
  });

  test.each(['7788123456', 'Sipariş 12 / 77 88 123 456', 'cüzdan no:7788-123-456 fatura 9'])(
    'is the one whose number stands in the words: %s',
    (text) => {
      expect(guess(text)).toEqual([BRANCH.number, 'named', 'number']);
    },
  );

  test.each(['ŞUBE KASASI için', 'sube kasasi', 'Sube  KASASİ', 'şube-kasası ödeme'])(
    'is found by its name whatever letters the keyboard had: %s',
    (text) => {
      expect(guess(text)).toEqual([BRANCH.number, 'named', 'name']);
    },
  );

  test.each([
    ['7788123465', 'near_number'],
    ['778812345', 'near_number'],
    ['şubee kasası', 'near_name'],
    ['Şubenin kasasına', 'near_name'],
    ['maaş ödemelerine', 'near_name'],
    ['MAAS ODEMELER', 'near_name'],
  ])('is told with less certainty after one slip or a Turkish ending: %s', (text, because) => {
    expect(guess(text)).toEqual([
      because === 'near_number' || text.toLocaleLowerCase('tr').includes('ube')
        ? BRANCH.number
        : PAY.number,
      'likely',
      because,
    ]);
  });

  test('by its IBAN, or the end of it', () => {
    expect(guess('TR32 0087 0000 0990 0441 0270 00 hesabına')).toEqual([
      MAIN.number,
      'named',
      'iban',
    ]);
  });

  test('is only a guess where no word helps, and none where two fit equally well', () => {
    expect(guess('Sipariş ödemesi 2026-1044')).toEqual([MAIN.number, 'guess', 'default']);
    expect(guess(null)).toEqual([MAIN.number, 'guess', 'default']);
    expect(guess('fatura', { currency: 'USD' })).toEqual([DOLLAR.number, 'guess', 'only']);
    expect(guess('4410270005')).toEqual([MAIN.number, 'guess', 'default']);
    expect(
      likelyWallet(
        { wallet: null, currency: 'TRY', description: 'Şube Kasası, Maaş Ödemeleri' },
        OWN,
      ),
    ).toBeNull();
    expect(likelyWallet({ wallet: '999', currency: 'EUR', description: null }, OWN)).toBeNull();
  });

  test('is never of another currency, always one of ours, and no text makes it fail', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'grapheme' }),
          fc.string({ unit: fc.constantFrom(...'4410270005 şubekasıöDolarİthalat-') }),
        ),
        fc.constantFrom('TRY', 'USD', 'EUR', null),
        (description, currency) => {
          const found = likelyWallet({ wallet: null, currency, description }, OWN);
          if (found !== null && currency !== null)
            expect(OWN.find((one) => one.number === found.wallet)?.currency).toBe(currency);
        },
      ),
    );
  });

  test('one slip of the hand is near, two are not', () => {
    const word = fc.string({ unit: fc.constantFrom(...'abc123'), minLength: 4, maxLength: 12 });
    fc.assert(
      fc.property(
        word,
        fc.nat(),
        fc.constantFrom('wrong', 'gone', 'more', 'turned'),
        (text, at, slip) => {
          const n = at % (text.length - 1);
          const slipped = {
            wrong: `${text.slice(0, n)}x${text.slice(n + 1)}`,
            gone: text.slice(0, n) + text.slice(n + 1),
            more: `${text.slice(0, n)}x${text.slice(n)}`,
            turned: text.slice(0, n) + text[n + 1] + text[n] + text.slice(n + 2),
          }[slip];
          expect(isNear(text, slipped)).toBe(true);
          expect(isNear(slipped, text)).toBe(true);
        },
      ),
    );
    for (const [a, b] of [
      ['1234567', '1243576'],
      ['kasasi', 'kasalar'],
      ['abcd', 'abcdef'],
    ] as const)
      expect(isNear(a, b)).toBe(false);
  });
});

describe('a failed top-up notice', () => {
  test.each([
    [
      'no such wallet',
      { result_code: '300', result_message: 'Cüzdan bulunamadı.', wallet_number: '' },
      'no_such_wallet',
    ],
    [
      'limit',
      { result_code: 310, result_message: 'Limit yetersiz.', wallet_number: '4410270001' },
      'limit',
    ],
    [
      'limit of the level',
      { result_code: '310', result_message: 'KYC limiti yetersiz', wallet_number: '4410270001' },
      'level_limit',
    ],
    [
      'limit of the level, in Turkish',
      {
        result_code: '310',
        result_message: 'Hesap SEVİYESİ yetersiz',
        wallet_number: '4410270001',
      },
      'level_limit',
    ],
    [
      'repeated receipt',
      {
        result_code: '301',
        result_message: 'Banka dekont numarası daha önce kullanılmış.',
        wallet_number: '4410270001',
      },
      'repeated',
    ],
    [
      'a code nobody knows',
      { result_code: '8123', result_message: 'KYC?', wallet_number: null, extra: { deep: [1] } },
      'other',
    ],
    ['words in place of a code', { result_code: 'TopUpRejected', result_message: 'x' }, 'other'],
  ])('is of a known kind or of an unknown one, and never of none: %s', (_what, body, kind) => {
    const notice = readFailedTopUp(
      JSON.stringify({ tenant_id: 1, amount: 5, currency_code: 'TRY', ...body }),
    )!;
    expect(kindOf(notice.reason, notice.message)).toBe(kind);
  });
});
