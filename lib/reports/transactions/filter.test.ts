import { describe, expect, it } from 'vitest';
import { addressOf } from '#lib/values/keyset.ts';
import { sortedBy } from '#lib/reports/filter.ts';
import { readTransactionQuery, transactionParams } from './filter.ts';

const NOW = '2026-03-05T21:30:00Z';
const read = (address: string, locale: 'tr' | 'en' = 'tr') =>
  readTransactionQuery(Object.fromEntries(new URLSearchParams(address)), NOW, locale);

describe('the address of the report', () => {
  it('without dates means the last thirty days of Istanbul, and always says which', () => {
    expect(read('').filter).toMatchObject({ from: '2026-02-05', to: '2026-03-06' });
    expect(addressOf(transactionParams(read('').filter))).toBe('?from=2026-02-05&to=2026-03-06');
    expect(read('to=2026-01-31').filter).toMatchObject({ from: '2026-01-02', to: '2026-01-31' });
    expect(read('from=2026-03-01').filter).toMatchObject({ from: '2026-03-01', to: '2026-03-06' });
  });

  it('with days turned round means the same days, and of more than the mirror is asked for their end', () => {
    expect(read('from=2026-03-06&to=2026-03-01').filter).toMatchObject({
      from: '2026-03-01',
      to: '2026-03-06',
    });
    expect(read('from=2020-01-01&to=2026-03-06').filter).toMatchObject({
      from: '2025-01-31',
      to: '2026-03-06',
    });
  });

  it('takes amounts as people write them, an unclear one as all that it may mean', () => {
    expect(read('min=1.000&max=12.400,50').filter).toMatchObject({
      min: 100_000n,
      max: 1_240_050n,
    });
    expect(read('min=1,000&max=1,000').filter).toMatchObject({ min: 100n, max: 100_000n });
    expect(read('min=abc&max=-5').filter).toMatchObject({ min: null, max: null });
  });

  it('is read as if what makes no sense were not there', () => {
    expect(
      read('type=gift&direction=up&status=x&sort=name&page=0&wallet=%27&after=1&from=2026-02-30')
        .filter,
    ).toEqual(read('').filter);
    expect(read('after=DROP').place).toBeNull();
    expect(read('after=2026-03-06T10:00:00.000000Z_9&page=7')).toMatchObject({
      place: { side: 'after', edge: '2026-03-06T10:00:00.000000Z_9' },
      page: 7,
    });
  });

  it('of a column that is pressed twice is the other order', () => {
    const once = sortedBy(read('').filter, 'amount');
    expect([
      once.order,
      sortedBy(once, 'amount').order,
      transactionParams(sortedBy(once, 'amount')).sort,
    ]).toEqual(['descending', 'ascending', 'amount']);
  });
});
