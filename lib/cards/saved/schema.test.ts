import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readChange, readCustomerNumber, readRegistration } from './schema.ts';
import type { SavedField } from './schema.ts';

const TODAY = '2026-11-21';
const GOOD = {
  customer: '71',
  name: ' Işık  Öğüt ',
  email: '',
  phone: '',
  holder: 'IŞIK ÖĞÜT',
  number: '5406 6754-0667 5403',
  month: '1',
  year: '31',
};
const read = (parts: Partial<typeof GOOD> = {}) =>
  readRegistration((name: SavedField) => ({ ...GOOD, ...parts })[name], TODAY);

describe('a card as it is typed', () => {
  it('is read with blanks and dashes, a short month and year, and without what was left empty', () => {
    expect(read()).toEqual({
      kind: 'ok',
      value: {
        customer: { number: '71', name: 'Işık Öğüt' },
        holder: 'IŞIK ÖĞÜT',
        number: '5406675406675403',
        expiry: { month: '01', year: '2031' },
      },
    });
  });

  it.each([
    ['customer', { customer: 'A-71' }, 'customer'],
    ['customer', { customer: '5406675406675403' }, 'customer'],
    ['number', { number: '12' }, 'number'],
    ['holder', { holder: ' ' }, 'holder'],
    ['month', { month: '13' }, 'month'],
    ['year', { year: '1999' }, 'year'],
    ['year', { month: '10', year: '2026' }, 'past'],
    ['email', { email: 'x' }, 'email'],
    ['name', { name: '4508 0345 0803 4509' }, 'text'],
    ['holder', { holder: 'x'.repeat(101) }, 'holder'],
  ] as const)('says which field is wrong: %s', (field, parts, code) => {
    expect(read(parts)).toEqual({ kind: 'errors', errors: { [field]: code } });
  });

  it('is good until its month is over', () => {
    expect(read({ month: '11', year: '2026' }).kind).toBe('ok');
  });

  it('is in no error, whatever was typed', () => {
    const field = fc.oneof(
      fc.string(),
      fc.constantFrom('5406675406675403', '4508 0345 0803 4509', ''),
    );
    fc.assert(
      fc.property(
        fc.record({
          customer: field,
          name: field,
          email: field,
          phone: field,
          holder: field,
          number: field,
          month: field,
          year: field,
        }),
        (typed) => {
          const result = readRegistration((name) => typed[name], TODAY);
          if (result.kind === 'errors') expect(JSON.stringify(result)).not.toMatch(/\d/);
          else expect(result.value.number).toMatch(/^\d{12,19}$/);
        },
      ),
    );
  });
});

describe('a change of a card', () => {
  it('leaves the holder when none is typed', () => {
    expect(readChange((name) => ({ holder: ' ', month: '02', year: '2030' })[name], TODAY)).toEqual(
      { kind: 'ok', value: { holder: null, expiry: { month: '02', year: '2030' } } },
    );
    expect(readChange((name) => ({ holder: 'x', month: '', year: '' })[name], TODAY)).toEqual({
      kind: 'errors',
      errors: { month: 'month', year: 'year' },
    });
  });
});

describe('a customer’s number', () => {
  it('is up to 19 digits, and no card number', () => {
    expect(
      [
        '1',
        ' 900719925474099123 ',
        '0',
        '',
        '12345678901234567890',
        '5406675406675403',
        null,
        ['1'],
      ].map(readCustomerNumber),
    ).toEqual(['1', '900719925474099123', null, null, null, null, null, null]);
  });
});
