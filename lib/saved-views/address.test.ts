import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { keptAddress, openedAddress, PERIODS, periodsOf, viewKey } from './address.ts';

const MARCH = '2026-03-05T21:30:00Z';

describe('an address that is kept', () => {
  it('opens the same list on the same day, wherever in it somebody was', () => {
    const address = fc.record({
      from: fc.constantFrom('2026-03-06', '2026-02-05', '2026-03-01'),
      to: fc.constantFrom('2026-03-06', '2026-02-28'),
      wallet: fc.constantFrom('', '4410270001'),
      q: fc.constantFrom('', 'ışık & co=1', '100%'),
      sort: fc.constantFrom('', '-amount'),
      after: fc.constantFrom('', 'x_1'),
      page: fc.constantFrom('', '7'),
    });
    fc.assert(
      fc.property(address, fc.constantFrom('', ...PERIODS), (params, chosen) => {
        const search = new URLSearchParams(params).toString();
        const opened = openedAddress(keptAddress(search, chosen, MARCH), MARCH);
        expect(opened).toBe(viewKey(search));
        expect(Object.keys(Object.fromEntries(new URLSearchParams(opened)))).not.toContain('after');
      }),
    );
  });

  it('moves along as the chosen period that matches its days in Istanbul, and otherwise stays', () => {
    const search = 'from=2026-02-05&to=2026-03-06&type=top_up';
    expect(periodsOf(search, MARCH), '21:30 UTC is the next day already').toEqual(['last30']);
    expect(openedAddress(keptAddress(search, 'last30', MARCH), '2026-03-09T10:00:00Z')).toBe(
      'from=2026-02-08&to=2026-03-09&type=top_up',
    );
    expect(openedAddress(keptAddress(search, '', MARCH), '2026-03-09T10:00:00Z')).toBe(
      'from=2026-02-05&to=2026-03-06&type=top_up',
    );
    expect(
      openedAddress(
        keptAddress('from=2026-02-06&to=2026-03-06', 'last30', MARCH),
        '2026-03-09T10:00:00Z',
      ),
      'days that are no such span stay',
    ).toBe('from=2026-02-06&to=2026-03-06');
  });

  it.each([
    ['a Monday', '2026-03-09', '2026-03-09', ['today', 'thisWeek']],
    ['a Sunday', '2026-03-09', '2026-03-15', ['last7', 'thisWeek']],
    ['a first', '2026-04-01', '2026-04-01', ['today', 'thisMonth']],
    ['a first that is a Monday', '2026-06-01', '2026-06-01', ['today', 'thisWeek', 'thisMonth']],
    ['a seventh', '2026-03-01', '2026-03-07', ['last7', 'thisMonth']],
    ['a thirtieth', '2026-04-01', '2026-04-30', ['last30', 'thisMonth']],
    ['no such day', '2026-03-10', '2026-03-12', []],
  ])('on %s has every period that its days match', (_day, from, to, periods) => {
    expect(periodsOf(`from=${from}&to=${to}`, `${to}T09:00:00Z`)).toEqual(periods);
  });

  it('opens the period that was chosen on a day of which several match', () => {
    const monday = 'from=2026-03-09&to=2026-03-09';
    const onFriday = (chosen: string): string =>
      openedAddress(keptAddress(monday, chosen, '2026-03-09T09:00:00Z'), '2026-03-13T09:00:00Z');
    expect(onFriday('today')).toBe('from=2026-03-13&to=2026-03-13');
    expect(onFriday('thisWeek')).toBe('from=2026-03-09&to=2026-03-13');
    expect(onFriday(''), 'these days only').toBe(monday);
    expect(onFriday('thisMonth'), 'does not match them').toBe(monday);
  });

  it('takes no span that nobody knows', () => {
    expect(openedAddress('period=ever&type=payout', MARCH)).toBe('type=payout');
  });
});
