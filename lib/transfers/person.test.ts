import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { nameFit, readAccount } from './person.ts';
import { keyText, readKeyText, shownKey } from '#lib/values/person-key.ts';
import { readPhone } from '#lib/form-fields/phone.ts';

const MASKED = 'El** Şa***';

describe('a phone number', () => {
  test.each([
    '5330000201',
    '0533 000 02 01',
    '533 000 02 01',
    '+90 (533) 000-02-01',
    '00905330000201',
    '905330000201',
    '533\u00a0000 02 01',
  ])('"%s" is one number of Turkey', (text) => {
    expect(readPhone('90', text)).toEqual({ country: '90', phone: '5330000201' });
    expect(readPhone('+90', text)).toEqual({ country: '90', phone: '5330000201' });
  });

  test.each([
    ['', 'phone_required'],
    ['533 000 02', 'phone_incomplete'],
    ['53300002011', 'phone_incomplete'],
    ['533 000 02 O1', 'phone_not_digits'],
  ])('"%s" is none', (text, error) => {
    expect(readPhone('90', text)).toEqual({ error });
  });

  it('of another country is taken as written, and a country is digits', () => {
    expect(readPhone('49', '+49 151 2345678')).toEqual({ country: '49', phone: '1512345678' });
    expect(readPhone('49', '0151 2345678')).toEqual({ country: '49', phone: '1512345678' });
    expect(readPhone('TR', '5330000201')).toEqual({ error: 'phone_country' });
  });
});

it('a key comes back from the text that a row holds, whatever it is', () => {
  const digits = fc.stringMatching(/^\d{4,20}$/);
  const key = fc.oneof(
    fc.record({
      by: fc.constant('phone' as const),
      country: fc.stringMatching(/^[1-9]\d{0,2}$/),
      phone: digits,
    }),
    fc.record({ by: fc.constant('account' as const), account: digits }),
  );
  fc.assert(
    fc.property(key, (one) => {
      expect(readKeyText(keyText(one))).toEqual(one);
    }),
  );
  expect(readKeyText(null)).toBeNull();
});

it('who may not see a number whole sees its end', () => {
  expect(shownKey({ by: 'phone', country: '90', phone: '5330000201' })).toBe('+90 533 000 02 01');
  expect(shownKey({ by: 'phone', country: '90', phone: '5330000201' }, false)).not.toMatch(
    /533|0002/,
  );
  expect(shownKey({ by: 'account', account: '5510000001' }, false)).toBe('…01');
  expect([readAccount('5510 0000 01'), readAccount(''), readAccount('55x')]).toEqual([
    { account: '5510000001' },
    { error: 'account_required' },
    { error: 'account_invalid' },
  ]);
});

describe('a name and the mask that was answered', () => {
  test.each(['Elif Şahin', 'ELİF ŞAHİN', 'elif sahin', 'ELIF SAHIN', '  Elif   Şahin '])(
    '"%s" fits, whatever i the keyboard has',
    (name) => expect(nameFit(name, MASKED)).toBe('fits'),
  );
  test.each(['Elif', 'Elif Ayşe Şahin', 'Şahin Elif', 'Elif Kaya'])('"%s" looks similar', (name) =>
    expect(nameFit(name, MASKED)).toBe('similar'),
  );
  test.each(['Ahmet Kaya', 'E Ş', ''])('"%s" is another name', (name) =>
    expect(nameFit(name, MASKED)).toBe('differs'),
  );
  test.each([null, '', '***', '*** **'])('of "%s" nothing can be said', (masked) =>
    expect(nameFit('Elif Şahin', masked)).toBe('unnamed'),
  );

  it('whoever is masked fits the own mask, and no mask that begins otherwise', () => {
    const letters = fc.stringMatching(/^[abcçdefgğhıijklmnoöprsştuüvyz]{3,12}$/);
    fc.assert(
      fc.property(fc.array(letters, { minLength: 1, maxLength: 3 }), (words) => {
        const mask = words
          .map((word) => `${word.slice(0, 2)}${'*'.repeat(word.length - 2)}`)
          .join(' ');
        expect(nameFit(words.join(' '), mask)).toBe('fits');
        expect(nameFit(words.map((word) => `x${word}`).join(' '), mask)).toBe('differs');
      }),
    );
  });
});
