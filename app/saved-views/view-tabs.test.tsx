import { Children, isValidElement } from 'react';
import type * as React from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import { hooks } from '#lib/testing/held-hooks.ts';
import { Tab } from '#components/ui/table.tsx';
import { ViewTabs } from './view-tabs.tsx';
import type { ViewWords } from './view-tabs.tsx';

/** Which of the saved views is open. */

// The tests run without a page: the component is called as a function.
vi.mock('react', async (original) => ({
  ...(await original<typeof React>()),
  ...(await import('#lib/testing/held-hooks.ts')).heldHooks,
}));
vi.mock('next/navigation', () => ({ useSearchParams: () => search }));
vi.mock('./actions.ts', () => ({}));
vi.mock('#components/ui/table.tsx', () => ({ Tab: 'a', Tabs: 'nav' }));
vi.mock('#components/ui/dialog.tsx', () => ({ Dialog: 'dialog' }));

let search: URLSearchParams;
beforeEach(() => {
  hooks.held = [];
  search = new URLSearchParams('from=2026-03-02&to=2026-03-02');
});

it('of several views with the same address the pressed one is open, else the first', () => {
  expect(openOf(tabs())).toBe('Today');
  press('This week');
  expect(openOf(tabs())).toBe('This week');
  search = new URLSearchParams('q=abc');
  expect(openOf(tabs()), 'the address decides').toBe('Others');
});

type TabProps = React.ComponentProps<typeof Tab>;

function tabs(): TabProps[] {
  hooks.next = 0;
  const days = 'from=2026-03-02&to=2026-03-02';
  const views = [
    { id: '1', name: 'Today', search: days },
    { id: '2', name: 'This week', search: days },
    { id: '3', name: 'Others', search: 'q=abc' },
  ];
  const given = { list: 'payouts', path: '/payouts', now: '2026-03-02T09:00:00Z', zone: 'UTC' };
  const words = { periods: [] } as unknown as ViewWords;
  return tabsIn(ViewTabs({ ...given, views, words }));
}

function tabsIn(node: React.ReactNode): TabProps[] {
  return Children.toArray(node).flatMap((one) => {
    if (!isValidElement<TabProps>(one)) return [];
    return one.type === Tab ? [one.props] : tabsIn(one.props.children);
  });
}

function openOf(all: readonly TabProps[]): React.ReactNode {
  return all.find(({ current }) => current)?.children;
}

function press(name: string): void {
  tabs()
    .find(({ children }) => children === name)
    ?.onPress?.();
}
