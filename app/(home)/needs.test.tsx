import { Children, isValidElement } from 'react';
import type { ComponentProps, ReactNode } from 'react';
import { expect, it, vi } from 'vitest';
import { Needs } from './needs.tsx';

/** Where the lines of what waits for a person lead. */

vi.mock('next-intl/server', () => ({
  getTranslations: async () => (key: string) => key,
  getLocale: async () => 'tr',
  getTimeZone: async () => 'Europe/Istanbul',
}));
// Nothing is drawn, and these need the complete React.
vi.mock('#app/movements/actions.ts', () => ({ seeOutcome: null }));
vi.mock('#components/action-button.tsx', () => ({ ActionButton: 'button' }));
vi.mock('#components/message-area.tsx', () => ({ MessageArea: 'div' }));
vi.mock('#components/money-state.tsx', () => ({ MoneyState: 'span' }));
vi.mock('#components/ui/link.tsx', () => ({ Link: 'a' }));
vi.mock('#components/ui/panel.tsx', () => ({ Panel: 'section' }));
vi.mock('#components/ui/pill.tsx', () => ({ Pill: 'span' }));
vi.mock('#components/when.tsx', () => ({ When: 'time' }));
vi.mock('#components/state-words.ts', () => ({ wordOf: () => '' }));
vi.mock('./authorizations-at-risk.tsx', () => ({ AuthorizationsAtRisk: 'div' }));
vi.mock('./whole-lists.tsx', () => ({
  isCut: () => false,
  waitingAddress: () => '',
  WholeLists: 'a',
}));

it('days to close are closed on the page of the month in which they begin', async () => {
  const none = { rows: [], lists: [] };
  const toClose = [
    { wallet: '1000000001', name: 'Main', days: 3, month: '2026-02' },
    { wallet: '1000000002', name: 'Payroll', days: 1, month: '2026-03' },
  ];
  const page = await Needs({
    overview: { unknown: none, needs: none, outcomes: none, queued: { lists: [] }, now: '' },
    reminders: { rows: [], ageUnknown: 0, tooOld: 0, now: '' },
    counts: { differences: 0, topUps: 0, receipts: 0 },
    toClose,
    batches: [],
    mayMark: false,
  } as unknown as ComponentProps<typeof Needs>);
  expect(addressesIn(page)).toEqual([
    '/reports/day-close?wallet=1000000001&month=2026-02&close=1',
    '/reports/day-close?wallet=1000000002&month=2026-03&close=1',
  ]);
});

function addressesIn(node: ReactNode): string[] {
  return Children.toArray(node)
    .filter((one) => isValidElement<{ children?: ReactNode; href?: string }>(one))
    .flatMap(({ props }) => [
      ...(props.href === undefined ? [] : [props.href]),
      ...addressesIn(props.children),
    ]);
}
