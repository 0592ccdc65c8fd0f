import { Children, isValidElement } from 'react';
import type * as React from 'react';
import { expect, it, vi } from 'vitest';
import { Button } from '#components/ui/button.tsx';
import { ITEMS_MAX } from '#lib/cards/checkout/schema.ts';
import { AddButton } from './items-block.tsx';

/** The button that adds an item, at the maximum number of items. */

// The tests run without a page: the component is called as a function.
vi.mock('react', async (original) => ({
  ...(await original<typeof React>()),
  ...(await import('#lib/testing/held-hooks.ts')).heldHooks,
  createContext: () => null,
  useId: () => 'reason',
}));
vi.mock('next-intl', () => ({
  useTranslations: () => (key: string, values?: object) => `${key} ${JSON.stringify(values)}`,
}));
vi.mock('lucide-react', () => ({ Plus: 'svg', Trash2: 'svg' }));
// The links of Next.js need the complete React, and the form's action a server.
vi.mock('#components/ui/link.tsx', () => ({ Link: 'a' }));
vi.mock('./use-charge-form.ts', () => ({ itemControl: () => 'id' }));

type Found = React.ReactElement<Record<string, unknown> & { children?: React.ReactNode }>;

function elementsIn(node: React.ReactNode): Found[] {
  return Children.toArray(node).flatMap((child) =>
    isValidElement<Found['props']>(child) ? [child, ...elementsIn(child.props.children)] : [],
  );
}

function draw(count: number): { press: () => void; reason: unknown; props: Found['props'] } {
  const all = elementsIn(AddButton({ count, onAdd }));
  const { props } = all.find(({ type }) => type === Button)!;
  const reason = all.find(({ props: { id } }) => id === 'reason')?.props.children;
  return { press: props['onClick'] as () => void, reason, props };
}

const onAdd = vi.fn<() => void>();

it('at the maximum the button for a further item says why it is closed, and keeps the focus', () => {
  const open = draw(ITEMS_MAX - 1);
  open.press();
  expect(onAdd).toHaveBeenCalledOnce();
  expect(open.reason).toBe('');
  const full = draw(ITEMS_MAX);
  full.press();
  expect(onAdd, 'no further item').toHaveBeenCalledOnce();
  expect(full.reason).toBe(`full {"max":${ITEMS_MAX}}`);
  expect(full.props).toMatchObject({ 'aria-disabled': true, 'aria-describedby': 'reason' });
  expect(full.props, 'a disabled button loses the focus').not.toHaveProperty('disabled');
});
