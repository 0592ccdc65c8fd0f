import { Children, isValidElement } from 'react';
import type * as React from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import { Select } from '#components/ui/field.tsx';
import { hooks } from '#lib/testing/held-hooks.ts';
import { UploadForm } from './upload-form.tsx';

/** What stands where no wallet can be chosen, and which wallet pays once there are some. */

// The tests run without a page: the component is called as a function.
vi.mock('react', async (original) => ({
  ...(await original<typeof React>()),
  ...(await import('#lib/testing/held-hooks.ts')).heldHooks,
  createContext: () => null,
}));
vi.mock('next-intl', () => ({ useTranslations: () => (key: string) => key }));
vi.mock('next/navigation', () => ({ useRouter: () => ({}) }));
vi.mock('lucide-react', () => ({ Upload: 'svg' }));
// The links of Next.js need the complete React.
vi.mock('#components/ui/link.tsx', () => ({ Link: 'a' }));
vi.mock('#components/ui/button.tsx', () => ({ Button: 'button', LinkButton: 'a' }));
vi.mock('#components/refresh-button.tsx', () => ({ RefreshButton: 'button' }));

beforeEach(() => {
  hooks.held = [];
});

type Found = React.ReactElement<Record<string, unknown> & { children?: React.ReactNode }>;
type Draw = (props: object) => React.ReactNode;

/** The elements, and those of the components that draw nothing but an empty state. */
function elementsIn(node: React.ReactNode): Found[] {
  return Children.toArray(node).flatMap((child) =>
    isValidElement<Found['props']>(child)
      ? [child, ...elementsIn(child.props.children), ...elementsIn(insideOf(child))]
      : [],
  );
}

function insideOf({ type, props }: Found): React.ReactNode {
  return typeof type === 'function' && 'isRead' in props ? (type as Draw)(props) : null;
}

const numbers = (...all: string[]) => all.map((number) => ({ number, name: number }));
const drawn = (wallets: { number: string; name: string }[], isRead: boolean): Found[] => {
  hooks.next = 0;
  return elementsIn(UploadForm({ wallets, isRead, chosen: '' }));
};
const emptyState = (all: readonly Found[]) =>
  all.map(({ props }) => props).find((props) => 'actions' in props);

it('where no wallet can pay the page says so, and offers to read them again only while they are unknown', () => {
  const unread = emptyState(drawn([], false));
  expect(unread).toMatchObject({ title: 'noWallet', actions: { type: 'button' } });
  const blocked = emptyState(drawn([], true));
  expect(blocked).toMatchObject({ title: 'noPayable', actions: { props: { href: '/wallets' } } });
});

it('the first wallet pays when the wallets are known only after a second try', () => {
  drawn([], false);
  const select = drawn(numbers('4410270001', '4410270002'), true).find(
    ({ type }) => type === Select,
  );
  expect(select?.props['value']).toBe('4410270001');
});
