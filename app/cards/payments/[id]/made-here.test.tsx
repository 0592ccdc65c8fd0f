import { isValidElement } from 'react';
import type { ReactElement, ReactNode } from 'react';
import { expect, it, vi } from 'vitest';
import { CopyButton } from '#components/ui/copy-button.tsx';
import type { CardPaymentView, MadeHere } from '#lib/cards/payments/view.ts';
import { MadeStep } from './made-here.tsx';

vi.mock('next-intl/server', () => ({
  getTranslations: async () => (key: string) => key,
  getLocale: async () => 'tr',
}));
// Nothing is drawn, and these need the complete React.
vi.mock('#components/action-button.tsx', () => ({ ActionButton: () => null }));
vi.mock('#components/ui/banner.tsx', () => ({ Banner: () => null }));
vi.mock('#components/ui/button.tsx', () => ({ FileButton: () => null }));
vi.mock('#components/ui/copy-button.tsx', () => ({ CopyButton: () => null }));
vi.mock('#components/ui/panel.tsx', () => ({ Fact: null, Facts: null, Panel: null }));
vi.mock('#components/ui/table.tsx', () => ({ Cell: null, Head: null, Row: null, Table: null }));
vi.mock('./take/actions.ts', () => ({ askLinkAgain: null, completeVerified: null }));

const LINK = 'https://pay.example/1';

/** The banner about a payment link, after the server components in it have run. */
async function bannerOf(
  payment: Partial<CardPaymentView>,
): Promise<ReactElement<{ title: string }>> {
  let node: ReactNode = await MadeStep({
    payment: payment as CardPaymentView,
    made: { kind: 'link', link: LINK, open: true } as MadeHere,
    mayCharge: true,
  });
  while (isValidElement<{ title?: string }>(node) && node.props.title === undefined)
    node = await (node.type as (props: unknown) => Promise<ReactNode>)(node.props);
  return node as ReactElement<{ title: string }>;
}

it('offers a link to be sent only while it is known that nobody has paid with it', async () => {
  const unpaid = await bannerOf({ state: 'pending', problem: null, link: 'unpaid' });
  expect([unpaid.props.title, copies(unpaid)]).toEqual(['link', true]);
  for (const problem of [null, 'no_answer', 'mismatch', 'contradiction'] as const) {
    const unclear = await bannerOf({ state: 'pending', problem, link: null });
    expect([problem, unclear.props.title, copies(unclear)]).toEqual([problem, 'unclear', false]);
  }
});

function copies(node: unknown): boolean {
  if (Array.isArray(node)) return node.some(copies);
  if (!isValidElement<{ children?: ReactNode }>(node)) return false;
  return node.type === CopyButton || copies(node.props.children);
}
