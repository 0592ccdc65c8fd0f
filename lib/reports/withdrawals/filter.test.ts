import { describe, expect, it } from 'vitest';
import { addressOf } from '#lib/values/keyset.ts';
import { sortedBy } from '#lib/reports/filter.ts';
import { readWithdrawalQuery, withdrawalParams } from './filter.ts';

const NOW = '2026-03-05T21:30:00Z';
const read = (params: Record<string, string>, locale: 'tr' | 'en' = 'tr') =>
  readWithdrawalQuery(params, NOW, locale);

describe('the address of the report', () => {
  it('without dates asks for thirty days that end today, as Istanbul counts: 21:30 UTC is the next day', () => {
    expect(read({}).filter).toMatchObject({
      from: '2026-02-05',
      to: '2026-03-06',
      wallet: null,
      level: null,
      completed: null,
      min: null,
      max: null,
      text: '',
      sort: 'date',
      order: 'descending',
    });
    expect(read({ to: '2026-01-31' }).filter).toMatchObject({
      from: '2026-01-02',
      to: '2026-01-31',
    });
    expect(read({ from: '2026-03-01' }).filter).toMatchObject({
      from: '2026-03-01',
      to: '2026-03-06',
    });
    expect(read({ from: '2026-04-01' }).filter).toMatchObject({
      from: '2026-04-01',
      to: '2026-04-01',
    });
    expect(read({ from: '2026-03-06', to: '2026-03-01' }).filter).toMatchObject({
      from: '2026-03-01',
      to: '2026-03-06',
    });
  });

  it('is the same in both languages, whatever notation the amounts were typed in', () => {
    const tr = read({ min: '1.234,56', max: '12.400' }, 'tr').filter;
    const en = read({ min: '1,234.56', max: '12,400' }, 'en').filter;
    expect([tr.min, tr.max]).toEqual([123_456n, 1_240_000n]);
    expect(addressOf(withdrawalParams(tr))).toBe(addressOf(withdrawalParams(en)));
    for (const locale of ['tr', 'en'] as const)
      expect(
        readWithdrawalQuery(
          Object.fromEntries(new URLSearchParams(addressOf(withdrawalParams(tr)))),
          NOW,
          locale,
        ).filter,
      ).toEqual(tr);
  });

  it('takes the wider reading of an amount that may stand for two', () => {
    expect([read({ min: '1,500' }).filter.min, read({ max: '1,500' }).filter.max]).toEqual([
      150n,
      150_000n,
    ]);
  });

  it('comes back from its own words, and what makes no sense is as if it were not there', () => {
    const full = read({
      from: '2026-03-01',
      to: '2026-03-06',
      wallet: '4410270001',
      level: 'rejected',
      completed: 'no',
      min: '1,00',
      q: ' Işık  Ltd ',
      sort: 'amount',
    }).filter;
    expect(full).toMatchObject({
      level: 'rejected',
      completed: false,
      text: 'Işık Ltd',
      sort: 'amount',
      order: 'ascending',
    });
    expect(read(withdrawalParams(full) as Record<string, string>).filter).toEqual(full);
    expect(
      read({
        from: '2026-02-30',
        level: 'paid',
        completed: 'maybe',
        min: 'x',
        sort: 'iban',
        wallet: "' OR 1",
      }).filter,
    ).toEqual(read({}).filter);
    for (const completed of ['constructor', '__proto__', 'toString'])
      expect(read({ completed }).filter).toEqual(read({}).filter);
  });

  it('names a place only in the order it was made for', () => {
    const edge = '2026-03-05T21:30:00.123456Z_91';
    expect(read({ after: edge }).place).toEqual({ side: 'after', edge });
    expect(read({ after: edge, sort: '-amount' }).place).toBeNull();
    expect(read({ before: '12345_91', sort: '-amount' }).place).toEqual({
      side: 'before',
      edge: '12345_91',
    });
  });

  it('a click on a head sorts the largest or newest first, a second one the other way', () => {
    const { filter } = read({});
    expect([
      sortedBy(filter, 'amount').order,
      sortedBy(sortedBy(filter, 'amount'), 'amount').order,
      sortedBy(filter, 'date').order,
    ]).toEqual(['descending', 'ascending', 'ascending']);
  });

  it('is never longer than the days of which somebody can say that they were read', () => {
    expect(
      readWithdrawalQuery({ from: '1900-01-01', to: '2026-03-06' }, '2026-03-06T09:00:00Z', 'tr')
        .filter,
    ).toMatchObject({ from: '2025-01-31', to: '2026-03-06' });
  });
});
