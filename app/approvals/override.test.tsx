import { Children, isValidElement } from 'react';
import type { ComponentProps, ReactElement, ReactNode } from 'react';
import { expect, it, vi } from 'vitest';
import type { Person } from '#lib/access/actor.ts';
import { ApprovalOfBatch } from '#app/batches/[id]/run/approval.tsx';
import { Decision } from './[id]/decision.tsx';

/** The form by which an owner approves alone: its button lets money leave. */

vi.mock('next-intl/server', () => ({
  getTranslations: async () => (key: string) => key,
  getLocale: async () => 'en',
}));
// Nothing is drawn, and these need the complete React.
vi.mock('#app/step-up/signed-form.tsx', () => ({ SignedForm: 'form' }));
vi.mock('#components/action-button.tsx', () => ({ ActionButton: 'button' }));
vi.mock('#components/messages.tsx', () => ({ Messages: 'div' }));
vi.mock('#components/reason-form.tsx', () => ({ ReasonForm: 'reason-form' }));
vi.mock('#components/ui/link.tsx', () => ({ Link: 'a' }));
vi.mock('#components/ui/panel.tsx', () => ({ FactPanel: 'section', Panel: 'section' }));
vi.mock('#components/when.tsx', () => ({ When: 'time' }));
vi.mock('#lib/batches/approval/view.ts', () => ({ BATCH_FLAGS: [] }));
const actions = vi.hoisted(() => ({ override: async () => null, other: async () => null }));
vi.mock('./actions.ts', () => ({
  approveWaiting: actions.other,
  overrideWaiting: actions.override,
  sendBackWaiting: actions.other,
}));
vi.mock('#app/batches/[id]/run/actions.ts', () => ({
  approve: actions.other,
  override: actions.override,
  sendBack: actions.other,
}));

const person = { kind: 'person', role: 'owner', standsInFor: null } as Person;
/** Two approvals are missing, and this person may give one. */
const waits = {
  ...{ contentHash: 'h', waits: true, needed: 2, given: 0, isComplete: false, stepUp: 'none' },
  ...{ mayApprove: [], lacksPeople: false, barred: null },
};
const payment = { ...waits, id: 'i', amount: '1.00', currency: 'TRY', name: 'A', maker: 'M' };
const batch = { ...waits, given: [], counting: 0, reasons: [], flags: {} };

type BatchProps = ComponentProps<typeof ApprovalOfBatch>;
type PaymentProps = ComponentProps<typeof Decision>;

it.each([
  ['a payment', async () => Decision({ person, waiting: payment } as unknown as PaymentProps)],
  [
    'a batch',
    async () => {
      const view = { id: 'i', maker: 'M', currency: 'TRY', name: '', groups: {} };
      const given = { person, view, approval: batch, flag: null };
      return ApprovalOfBatch(given as unknown as BatchProps);
    },
  ],
])('of %s is pressed by its button alone, and not by Enter in its reason', async (_what, draw) => {
  const forms = (await elementsIn(await draw())).filter(({ type }) => type === 'reason-form');
  const money = forms.map(({ props }) => [props.action === actions.override, props.money === true]);
  expect(money).toEqual([
    [false, false],
    [true, true],
  ]);
});

type Found = ReactElement<{ children?: ReactNode; action?: unknown; money?: boolean }>;

/** The elements of a page, with those of its own components. */
async function elementsIn(node: ReactNode): Promise<Found[]> {
  const all: Found[] = [];
  for (const one of Children.toArray(node)) {
    if (!isValidElement<Found['props']>(one)) continue;
    all.push(one);
    const { type, props } = one;
    // The sum of the batch is on a button that is not looked at here.
    const isDrawn = typeof type === 'function' && type.name !== 'Approve';
    const draw = type as (props: object) => Promise<ReactNode>;
    all.push(...(await elementsIn(isDrawn ? await draw(props) : props.children)));
  }
  return all;
}
