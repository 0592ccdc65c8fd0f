import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  isNarrowed,
  NO_FILTER,
  payoutListAddress,
  PAYOUT_PARTS,
  PAYOUT_SORTS,
  PAYOUT_VIEWS,
  PICKED_MAX,
  readPayoutQuery,
  searchAmounts,
  sortedBy,
} from './filter.ts';
import { readSearch } from '#lib/form-fields/search-text.ts';
import { WAITING_GROUPS } from '#lib/movements/waiting.ts';
import type { Place } from '#lib/values/keyset.ts';
import type { PayoutFilter } from './filter.ts';

const ID = '0b6f3c1e-9d1a-4f0a-8f4e-0a1b2c3d4e5f';

function query(address: string): ReturnType<typeof readPayoutQuery> {
  return readPayoutQuery(Object.fromEntries(new URLSearchParams(address)));
}

describe('the address of the list of payouts', () => {
  test('an address without a question asks for all, newest first', () => {
    expect(readPayoutQuery({})).toEqual({ filter: NO_FILTER, place: null });
    expect(payoutListAddress(NO_FILTER)).toBe('');
  });

  test('nonsense is as if it were not there', () => {
    expect(
      query('?view=lost&wallet=../1&from=2026-02-30&to=yesterday&sort=iban&after=x&q=%20%20'),
    ).toEqual({ filter: NO_FILTER, place: null });
    expect(readPayoutQuery({ view: ['all', 'failed'], q: ['a', 'b'], sort: ['-amount'] })).toEqual({
      filter: NO_FILTER,
      place: null,
    });
  });

  test('ticked rows are their ids, each once and fifty at most, however they were written', () => {
    const ids = Array.from({ length: 60 }, (_, n) => ID.slice(0, -2) + String(n + 10));
    expect(query(`?pick=${ID}.x.${ID}`).filter.picked).toEqual([ID]);
    expect(readPayoutQuery({ pick: [ID, '../1', ids[0]!] }).filter.picked).toEqual([ID, ids[0]]);
    expect(query(`?pick=${ids.join('.')}`).filter.picked).toEqual(ids.slice(0, PICKED_MAX));
    expect(isNarrowed(query(`?pick=${ID}`).filter)).toBe(true);
  });

  test('days given backwards are turned round', () => {
    expect(query('?from=2026-03-06&to=2026-03-01').filter).toMatchObject({
      from: '2026-03-01',
      to: '2026-03-06',
    });
  });

  test('an edge of another column is not believed', () => {
    expect(query(`?sort=amount&after=${ID}_2026-03-06T00:30:00.000001Z`).place).toBeNull();
    for (const day of ['2026-99-06', '2026-02-30', '0000-01-01'])
      expect(query(`?after=${ID}_${day}T00:30:00.000001Z`).place).toBeNull();
    expect(query(`?sort=amount&after=${ID}_1240000`).place).toEqual({
      side: 'after',
      edge: `${ID}_1240000`,
    });
  });

  test('whatever was written is read again', () => {
    const day = fc.constantFrom('2026-01-01', '2026-02-28', '2026-03-06').map(String);
    const days = fc
      .tuple(fc.option(day), fc.option(day))
      .map(
        ([a, b]) =>
          (a !== null && b !== null && a > b ? [b, a] : [a, b]) as [string | null, string | null],
      );
    const filters: fc.Arbitrary<PayoutFilter> = fc
      .record({
        view: fc.constantFrom(...PAYOUT_VIEWS),
        part: fc.option(fc.constantFrom(...PAYOUT_PARTS)),
        waits: fc.option(fc.constantFrom(...WAITING_GROUPS)),
        batch: fc.option(fc.uuid()),
        recipient: fc.option(fc.uuid()),
        picked: fc.uniqueArray(fc.uuid(), { maxLength: PICKED_MAX }),
        wallet: fc.option(fc.stringMatching(/^[0-9]{4,20}$/)),
        days,
        text: fc.string({ unit: 'grapheme', maxLength: 40 }).map((text) =>
          text
            .normalize('NFC')
            .replace(/[\p{Cc}\s]+/gu, ' ')
            .trim(),
        ),
        sort: fc.constantFrom(...PAYOUT_SORTS),
        order: fc.constantFrom('ascending' as const, 'descending' as const),
      })
      .map(({ days: [from, to], ...rest }) => ({ ...rest, from, to }));
    fc.assert(
      fc.property(filters, fc.constantFrom('after' as const, 'before' as const), (filter, side) => {
        const value = {
          date: '2026-03-06T00:30:00.000001Z',
          amount: '1240000',
          name: 's{afak _=&',
        }[filter.sort];
        const place: Place = { side, edge: `${ID}_${value}` };
        expect(query(payoutListAddress(filter, place))).toEqual({ filter, place });
      }),
    );
  });

  test('a header turns its own column round and gives another its usual order', () => {
    expect(sortedBy(NO_FILTER, 'date').order).toBe('ascending');
    expect(sortedBy(NO_FILTER, 'amount')).toMatchObject({ sort: 'amount', order: 'descending' });
    expect(sortedBy(NO_FILTER, 'name')).toMatchObject({ sort: 'name', order: 'ascending' });
  });

  test('a tab alone does not narrow the list', () => {
    expect(isNarrowed({ ...NO_FILTER, view: 'failed' })).toBe(false);
    expect(isNarrowed({ ...NO_FILTER, text: 'a' })).toBe(true);
  });
});

describe('what a search text stands for', () => {
  test('names in every Turkish spelling are one', () => {
    for (const text of ['ISIK', 'ışık', 'Işık', 'IŞIK', 'isik'])
      expect(readSearch(text)?.name).toBe('isik');
  });

  test('an IBAN with spaces, lower case or its prefix', () => {
    for (const text of ['TR33 0006 1005 1978', 'tr33-0006-1005-1978', 'IBAN: TR33 0006 1005 1978'])
      expect(readSearch(text)?.iban).toBe('TR33000610051978');
    expect(readSearch('kardelen')?.iban).toBeNull();
  });

  test('a reference as it is read out, whatever its case and dashes', () => {
    expect(readSearch('7f3k-92ax')?.reference).toBe('7F3K92AX');
  });

  test('an amount in either notation; both readings where it has two', () => {
    expect(readSearch('₺12.400,00')?.amounts).toEqual([1_240_000n]);
    expect(readSearch('12,400.00')?.amounts).toEqual([1_240_000n]);
    expect(searchAmounts(readSearch('12.400')!, 'tr')).toEqual(['12.400,00', '12,40']);
    expect(readSearch('Ambalaj')?.amounts).toEqual([]);
  });

  test('a tax number is a tax number at its two lengths only', () => {
    expect(readSearch('1234567890')?.taxNumber).toBe('1234567890');
    expect(readSearch('123456789')?.taxNumber).toBeNull();
  });

  test('no text is no search', () => {
    expect(readSearch('')).toBeNull();
  });
});
