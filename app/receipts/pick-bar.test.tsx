import { Children, isValidElement } from 'react';
import type * as React from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import { hooks, runEffects } from '#lib/testing/held-hooks.ts';
import { PickBar } from './pick-bar.tsx';

/** What the bar of ticked receipts counts. */

// The tests run without a page: the component is called as a function.
vi.mock('react', async (original) => ({
  ...(await original<typeof React>()),
  ...(await import('#lib/testing/held-hooks.ts')).heldHooks,
}));
vi.mock('next/form', () => ({ default: 'form' }));
vi.mock('#components/ui/button.tsx', () => ({ Button: 'button', LinkButton: 'a' }));

const WORDS = {
  label: 'Picked',
  counted: '{count} picked',
  take: 'Take',
  all: 'All',
  none: 'None',
};

let boxes: { checked: boolean }[];
beforeEach(() => {
  hooks.held = [];
  vi.stubGlobal('document', {
    querySelectorAll: () => boxes,
    querySelector: () => null,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  });
});

it('rows that are no longer shown are no longer picked', () => {
  boxes = [{ checked: true }, { checked: true }];
  expect(drawn('a b')).toBe('2 picked');
  boxes = [{ checked: false }];
  expect(drawn('c'), 'on the next page').toBe('');
});

/** What the bar says after its effects, with these rows on the page. */
function drawn(rows: string): unknown {
  const draw = (): React.ReactNode => {
    hooks.next = 0;
    return PickBar({ action: '/new', fields: {}, takeAll: '/new', drawn: rows, words: WORDS });
  };
  draw();
  runEffects();
  const bar = draw() as React.ReactElement<{ children: React.ReactNode }>;
  return Children.toArray(bar.props.children)
    .filter((one) => isValidElement<{ role?: string; children?: string }>(one))
    .find(({ props }) => props.role === 'status')?.props.children;
}
