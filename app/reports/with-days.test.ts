import { describe, expect, it } from 'vitest';
import { withDays } from './with-days.ts';

// In Istanbul this is 00:30 of the next day.
const NOW = '2026-11-24T21:30:00.000Z';
const ask = (address: string): string | undefined => {
  const whole = withDays(new URL(address, 'http://desk.test'), NOW, 'Europe/Istanbul');
  return whole === null ? undefined : whole.pathname + whole.search;
};

describe('the days of a report', () => {
  it('are the last thirty of the workspace, before the other filters', () => {
    expect(ask('/reports/transactions')).toBe(
      '/reports/transactions?from=2026-10-27&to=2026-11-25',
    );
    expect(ask('/reports/withdrawals?q=%C5%9Fafak')).toBe(
      '/reports/withdrawals?from=2026-10-27&to=2026-11-25&q=%C5%9Fafak',
    );
  });
  it('extend one day that is given alone', () => {
    expect(ask('/reports/transactions?type=payout&from=2026-11-20')).toBe(
      '/reports/transactions?from=2026-11-20&to=2026-11-25&type=payout',
    );
    expect(ask('/reports/transactions?to=2026-11-10')).toBe(
      '/reports/transactions?from=2026-10-12&to=2026-11-10',
    );
  });
  it('take the place of what is no day, and are at most the last 400', () => {
    for (const nothing of ['from=&to=', 'from=x&to=y', 'from=x'])
      expect(ask(`/reports/transactions?${nothing}&q=a`), nothing).toBe(
        '/reports/transactions?from=2026-10-27&to=2026-11-25&q=a',
      );
    expect(ask('/reports/transactions?from=2020-01-01')).toBe(
      '/reports/transactions?from=2025-10-22&to=2026-11-25',
    );
    const whole = ask('/reports/withdrawals?from=&to=')!;
    expect(ask(whole), 'no second redirect').toBeUndefined();
  });
  it('are left as they are when both are there, and are no matter of other pages', () => {
    expect(ask('/reports/transactions?from=2026-11-01&to=2026-11-02')).toBeUndefined();
    expect(ask('/reports/transactions/export')).toBeUndefined();
    expect(ask('/payouts')).toBeUndefined();
  });
});
