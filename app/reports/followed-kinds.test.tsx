import { Children, isValidElement } from 'react';
import type { ReactElement, ReactNode } from 'react';
import { expect, it, vi } from 'vitest';
import ReconciledDayPage from './reconciliation/[day]/page.tsx';
import WithdrawalsPage from './withdrawals/page.tsx';

/** Which changes the pages follow that show our state beside the provider's. */

vi.mock('next-intl/server', () => ({
  getTranslations: async () => (key: string) => key,
  getLocale: async () => 'tr',
  getTimeZone: async () => 'Europe/Istanbul',
}));
vi.mock('#lib/login/session.ts', () => ({
  signedIn: async () => ({ role: 'clerk', merchantId: 'm' }),
}));
vi.mock('#lib/provider-records/coverage.ts', () => ({
  wantDays: async () => 0,
  coverageOf: async () => ({ missing: [], unfinished: [] }),
}));
vi.mock('#lib/reports/withdrawals/list.ts', () => ({
  listWithdrawals: async () => ({ rows: [], now: '' }),
  sumWithdrawals: async () => [],
}));
vi.mock('#lib/reports/reconciliation/view.ts', () => ({
  viewDay: async (_person: unknown, day: string) => ({ day, differences: [] }),
}));
vi.mock('#lib/list-columns/hidden.ts', () => ({ hiddenColumns: async () => [] }));
vi.mock('#lib/wallets/names.ts', () => ({ walletNames: async () => [] }));
// Nothing is drawn, and these need the complete React.
vi.mock('next/navigation', () => ({ notFound: null }));
vi.mock('#app/live-changes.tsx', () => ({ LiveChanges: () => null }));
vi.mock('#app/refused-page.tsx', () => ({ Forbidden: null }));
vi.mock('#app/reports/report-page.tsx', () => ({ ReportPage: () => null }));
vi.mock('#app/reports/chart-table.tsx', () => ({ ChartLoading: null }));
vi.mock('#app/list-columns/column-choice.tsx', () => ({ ColumnChoice: () => null }));
vi.mock('#components/back-link.tsx', () => ({ BackLink: () => null }));
vi.mock('#components/soon.tsx', () => ({ Soon: () => null }));
vi.mock('#components/ui/panel.tsx', () => ({
  ...{ EmptyState: () => null, Fact: null, Facts: null },
  ...{ PageHead: () => null, Panel: () => null },
}));
vi.mock('#components/when.tsx', () => ({ When: null }));
vi.mock('./reconciliation/day-verdict.tsx', () => ({ DayVerdictPill: null }));
vi.mock('./reconciliation/[day]/difference-item.tsx', () => ({ DifferenceItem: null }));
vi.mock('./withdrawals/filters.tsx', () => ({ WithdrawalFilters: () => null }));
vi.mock('./withdrawals/result-chart.tsx', () => ({ ResultChart: null }));
vi.mock('./withdrawals/totals.tsx', () => ({ WithdrawalTotals: () => null }));
vi.mock('./withdrawals/withdrawal-table.tsx', () => ({ WithdrawalTable: null }));

const search = Promise.resolve({});
const day = { params: Promise.resolve({ day: '2026-03-05' }), searchParams: search };

it.each([
  ['withdrawals', () => WithdrawalsPage({ params: search, searchParams: search }), 'records'],
  ['a reconciled day', () => ReconciledDayPage(day), 'reconciliation'],
])('the report of %s follows our payments too, whose states it shows', async (_of, draw, own) => {
  expect(kindsIn(await draw())).toEqual([own, 'movement']);
});

/** The kinds that the page gives to the part of it that follows changes. */
function kindsIn(node: ReactNode): unknown {
  for (const one of Children.toArray(node)) {
    if (!isValidElement(one)) continue;
    const { kinds, children } = (one as ReactElement<{ kinds?: unknown; children?: ReactNode }>)
      .props;
    const found = kinds ?? kindsIn(children);
    if (found !== undefined) return found;
  }
  return undefined;
}
