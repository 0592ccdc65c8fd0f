import * as fc from 'fast-check';
import { expect, it, test } from 'vitest';
import { addressOf } from '#lib/values/keyset.ts';
import {
  NO_RECIPIENT_FILTER,
  readRecipientQuery,
  recipientParams,
  recipientsSortedBy,
  RECIPIENT_SORTS,
  RECIPIENT_VIEWS,
} from './filter.ts';
import type { RecipientFilter } from './filter.ts';
import { readAccountNumber, readRecipientFields } from './schema.ts';

const ID = '0b8f3c9e-7a61-4d0a-9a52-3f6f5a1c2d3e';
const read = (address: string) =>
  readRecipientQuery(Object.fromEntries(new URLSearchParams(address)));

it('what a list is asked for survives its address, and equal lists have one', () => {
  const filters: fc.Arbitrary<RecipientFilter> = fc.record({
    view: fc.constantFrom(...RECIPIENT_VIEWS),
    text: fc
      .string({ unit: fc.constantFrom(...'aıİ1ğ&=?% ') })
      .map((text) => text.replace(/\s+/g, ' ').trim()),
    sort: fc.constantFrom(...RECIPIENT_SORTS),
    order: fc.constantFrom('ascending', 'descending'),
  });
  fc.assert(
    fc.property(filters, (filter) => {
      expect(read(addressOf(recipientParams(filter))).filter).toEqual(filter);
      expect(recipientsSortedBy(recipientsSortedBy(filter, filter.sort), filter.sort)).toEqual(
        filter,
      );
    }),
  );
  expect(addressOf(recipientParams(NO_RECIPIENT_FILTER))).toBe('');
});

test.each([
  '?after=1',
  `?after=${ID}`,
  `?after=${ID}_2026-01-01`,
  `?after=${ID}_2026-02-30T00:00:00.000000Z`,
  `?sort=used&after=${ID}_Ayşe`,
  '?view=mine',
  '?sort=rowid',
  "?after=x'--_2026-01-01T00:00:00.000000Z",
])('%s is as if it were not there', (address) => {
  expect(read(address)).toMatchObject({ filter: { view: 'active', text: '' }, place: null });
});

test('a place is one of the order it was made for', () => {
  expect(read(`?sort=name&after=${ID}_ay%C5%9Fe`).place).toEqual({
    side: 'after',
    edge: `${ID}_ayşe`,
  });
  expect(read(`?before=${ID}_2026-01-01T00:00:00.000000Z`).place).toEqual({
    side: 'before',
    edge: `${ID}_2026-01-01T00:00:00.000000Z`,
  });
});

test.each([
  ['tr33 0006 1005 1978 6457 8413 26', { kind: 'ok', value: 'TR330006100519786457841326' }],
  ['4410 270 001', { kind: 'ok', value: '4410270001' }],
  ['TR33', { kind: 'error', code: 'iban_incomplete' }],
  ['TR330006100519786457841327', { kind: 'error', code: 'iban_check_digits' }],
  ['', { kind: 'error', code: 'iban_incomplete' }],
])('the account “%s” is read by the rules of the form', (text, expected) => {
  expect(readAccountNumber(text)).toMatchObject(expected);
});

test('a name is written on one line, and a number has its check digits or is not there', () => {
  expect(readRecipientFields('  Işıl   Öz ', '10000000146')).toEqual({
    kind: 'ok',
    value: { name: 'Işıl Öz', taxNumber: '10000000146' },
  });
  expect(readRecipientFields('Işıl Öz', '')).toEqual({
    kind: 'ok',
    value: { name: 'Işıl Öz', taxNumber: '' },
  });
  expect(readRecipientFields('I', '')).toMatchObject({ code: 'name_too_short' });
  expect(readRecipientFields('Işıl Öz', '10000000147')).toMatchObject({ code: 'tax_check_digits' });
});
