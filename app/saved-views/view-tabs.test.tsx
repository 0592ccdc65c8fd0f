import { Children, isValidElement } from 'react';
import type * as React from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import { hooks } from '#lib/testing/held-hooks.ts';
import { SubmitButton } from '#components/ui/button.tsx';
import { Tab } from '#components/ui/table.tsx';
import { ViewTabs } from './view-tabs.tsx';
import type { ViewWords } from './view-tabs.tsx';

/** Which of the saved views is open, and what a second press does. */

// The tests run without a page: the component is called as a function.
vi.mock('react', async (original) => ({
  ...(await original<typeof React>()),
  ...(await import('#lib/testing/held-hooks.ts')).heldHooks,
  createContext: () => null,
  useActionState: () => [null, () => undefined, isUnderWay],
}));
vi.mock('next/navigation', () => ({ useSearchParams: () => search }));
// The links of Next.js need the complete React.
vi.mock('#components/ui/link.tsx', () => ({ Link: 'a' }));
vi.mock('./actions.ts', () => ({}));
vi.mock('#components/ui/table.tsx', () => ({ Tab: 'a', Tabs: 'nav' }));
vi.mock('#components/ui/dialog.tsx', () => ({ Dialog: 'dialog' }));

let search: URLSearchParams;
let isUnderWay: boolean;
beforeEach(() => {
  hooks.held = [];
  isUnderWay = false;
  search = new URLSearchParams('from=2026-03-02&to=2026-03-02');
});

it('of several views with the same address the pressed one is open, else the first', () => {
  expect(openOf(tabs())).toBe('Today');
  press('This week');
  expect(openOf(tabs())).toBe('This week');
  search = new URLSearchParams('q=abc');
  expect(openOf(tabs()), 'the address decides').toBe('Others');
});

it('while a view is deleted or restored, a second press of either button does nothing', () => {
  const gone = { id: '4', name: 'Gone', search: 'q=gone' };
  const pressed = (): boolean[] =>
    elementsIn(drawn())
      .filter((one) => typeof one.type === 'function' && 'drop' in one.props)
      .flatMap((one) => elementsIn((one.type as Draw)({ ...one.props, gone })))
      .flatMap((one) => (one.type === SubmitButton ? [SubmitButton(one.props as never)] : [one]))
      .filter((one): one is Found => isValidElement<Found['props']>(one))
      .filter((one) => one.props.type === 'submit')
      .map(({ props }) => {
        const preventDefault = vi.fn<() => void>();
        props.onClick?.({ preventDefault });
        return preventDefault.mock.calls.length === 0;
      });
  expect(pressed()).toEqual([true, true]);
  isUnderWay = true;
  expect(pressed()).toEqual([false, false]);
});

type Found = React.ReactElement<{
  children?: React.ReactNode;
  type?: string;
  onClick?: (event: { preventDefault: () => void }) => void;
}>;
type Draw = (props: object) => React.ReactNode;

function elementsIn(node: React.ReactNode): Found[] {
  return Children.toArray(node)
    .filter((one): one is Found => isValidElement(one))
    .flatMap((one) => [one, ...elementsIn(one.props.children)]);
}

type TabProps = React.ComponentProps<typeof Tab>;

function drawn(): React.ReactNode {
  hooks.next = 0;
  const days = 'from=2026-03-02&to=2026-03-02';
  const views = [
    { id: '1', name: 'Today', search: days },
    { id: '2', name: 'This week', search: days },
    { id: '3', name: 'Others', search: 'q=abc' },
  ];
  const given = { list: 'payouts', path: '/payouts', now: '2026-03-02T09:00:00Z', zone: 'UTC' };
  const words = { periods: [], removeOne: '', undoOne: '' } as unknown as ViewWords;
  return ViewTabs({ ...given, views, words });
}

function tabs(): TabProps[] {
  return elementsIn(drawn())
    .filter(({ type }) => type === Tab)
    .map(({ props }) => props as unknown as TabProps);
}

function openOf(all: readonly TabProps[]): React.ReactNode {
  return all.find(({ current }) => current)?.children;
}

function press(name: string): void {
  tabs()
    .find(({ children }) => children === name)
    ?.onPress?.();
}
