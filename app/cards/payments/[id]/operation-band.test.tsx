import { isValidElement } from 'react';
import type { ReactNode } from 'react';
import { expect, it, vi } from 'vitest';
import type { CardOperation } from '#lib/cards/operations/list.ts';
import { OperationBand } from './operation-band.tsx';

vi.mock('next-intl/server', () => ({
  getTranslations: async () => (key: string) => key,
  getLocale: async () => 'tr',
}));
// Nothing is drawn, and these need the complete React.
vi.mock('#app/cards/operations/operation-actions.tsx', () => ({ OperationActions: () => null }));
vi.mock('#components/ui/button.tsx', () => ({ LinkButton: () => null }));
vi.mock('#components/ui/pill.tsx', () => ({ TONE_GROUND: {} }));

/** The texts and the addresses of the band about a refund that waits for approval. */
const bandFor = async (mayApprove: boolean, cancel: boolean): Promise<string[]> =>
  saidIn(
    await OperationBand({
      operation: {
        id: 'R-1',
        operation: 'refund',
        amount: '10.00',
        currency: 'TRY',
        state: 'AWAITING_APPROVAL',
        isUnproven: false,
        lastSendAt: null,
        can: { ask: false, cancel, acknowledge: false },
      } as CardOperation & { state: 'AWAITING_APPROVAL' },
      now: '2026-03-06T10:00:00Z',
      mayApprove,
    }),
  );

it('leads who may approve a refund to the decision, and names cancelling only to who can', async () => {
  const [title, text] = ['band.awaiting.title', 'band.awaiting.text'];
  expect(await bandFor(false, false)).toEqual([title, text]);
  expect(await bandFor(false, true)).toEqual([title, text, 'band.awaiting.cancel']);
  expect(await bandFor(true, false)).toEqual([
    title,
    text,
    '/approvals/R-1',
    'band.awaiting.decide',
  ]);
});

function saidIn(node: ReactNode): string[] {
  if (typeof node === 'string') return [node];
  if (Array.isArray(node)) return node.flatMap(saidIn);
  if (!isValidElement<{ href?: string; children?: ReactNode }>(node)) return [];
  const { href, children } = node.props;
  return [...(href === undefined ? [] : [href]), ...saidIn(children)];
}
