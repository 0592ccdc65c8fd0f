import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { keptAddress, openedAddress, periodOf, viewKey } from './address.ts';

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
      fc.property(address, fc.boolean(), (params, moving) => {
        const search = new URLSearchParams(params).toString();
        const opened = openedAddress(keptAddress(search, moving, MARCH), MARCH);
        expect(opened).toBe(viewKey(search));
        expect(Object.keys(Object.fromEntries(new URLSearchParams(opened)))).not.toContain('after');
      }),
    );
  });

  it('moves along with the days when they are a span with a name, in Istanbul, and stays when it is told to', () => {
    const search = 'from=2026-02-05&to=2026-03-06&type=top_up';
    expect(periodOf(search, MARCH), '21:30 UTC is the next day already').toBe('last30');
    expect(openedAddress(keptAddress(search, true, MARCH), '2026-03-09T10:00:00Z')).toBe(
      'from=2026-02-08&to=2026-03-09&type=top_up',
    );
    expect(openedAddress(keptAddress(search, false, MARCH), '2026-03-09T10:00:00Z')).toBe(
      'from=2026-02-05&to=2026-03-06&type=top_up',
    );
    expect(
      openedAddress(
        keptAddress('from=2026-02-06&to=2026-03-06', true, MARCH),
        '2026-03-09T10:00:00Z',
      ),
      'days that are no such span stay',
    ).toBe('from=2026-02-06&to=2026-03-06');
  });

  it('takes no span that nobody knows', () => {
    expect(openedAddress('period=ever&type=payout', MARCH)).toBe('type=payout');
  });
});
