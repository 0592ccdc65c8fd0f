import { Children, isValidElement } from 'react';
import type * as React from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import { SignedForm } from '#app/step-up/signed-form.tsx';
import { ReasonForm } from '#components/reason-form.tsx';
import { hooks } from '#lib/testing/held-hooks.ts';
import { ManyForm } from './many-form.tsx';

/** What Enter does in a field of a form that approves payments. */

// The tests run without a page: the forms are called as functions.
vi.mock('react', async (original) => ({
  ...(await original<typeof React>()),
  ...(await import('#lib/testing/held-hooks.ts')).heldHooks,
  createContext: () => 'context',
  use: () => null,
  useId: () => 'id',
}));
vi.mock('next-intl', () => ({ useTranslations: () => () => '', useLocale: () => 'tr' }));
// The links of Next.js need the complete React.
vi.mock('#components/ui/link.tsx', () => ({ Link: 'a' }));
vi.mock('./actions.ts', () => ({}));
vi.mock('#app/step-up/sign-panel.tsx', () => ({}));
vi.mock('#app/step-up/use-signed.ts', () => ({ useSigned: () => ({ asked: null }) }));

beforeEach(() => {
  Object.assign(hooks, { held: [], next: 0 });
});

const action = async (): Promise<null> => null;
const fields = { id: 'i', seenHash: 'h' };
const reason = { label: 'Reason', hint: 'At least ten letters.' };
const content = { name: 'A', payee: 'TR', amount: '1.00', currency: 'TRY' };
const given = { action, fields, look: 'danger' as const };

const row = { id: 'i', contentHash: 'h', name: 'A', wallet: '1', signs: false };
const rows = [{ ...row, payee: 'TR', amount: '1.00', currency: 'TRY' }];

it.each([
  ['several payments', 2, () => ManyForm({ rows, balances: [] })],
  ['a signed one', 1, () => SignedForm({ ...given, content, reason, children: 'Approve' })],
  ['one with a reason', 1, () => ReasonForm({ ...given, ...reason, button: 'Go', money: true })],
])('Enter in no field of the form for %s presses its button', (_what, count, draw) => {
  const answers = fieldsIn(draw()).map(isPressedBy);
  expect(answers).toEqual(Array.from({ length: count }, () => false));
});

it('Enter presses the button of a form by which no money leaves', () => {
  const form = ReasonForm({ ...given, ...reason, button: 'Go' });
  expect(fieldsIn(form).map(isPressedBy)).toEqual([true]);
});

type Drawn = React.ReactElement<{
  children?: React.ReactNode;
  type?: string;
  onKeyDown?: (event: object) => void;
}>;

/** The fields that a person sees. */
function fieldsIn(node: React.ReactNode): Drawn[] {
  return Children.toArray(node)
    .filter((one): one is Drawn => isValidElement(one))
    .flatMap((one) => {
      const { type, props } = one;
      if (typeof type === 'function')
        return fieldsIn((type as (props: object) => React.ReactNode)(props));
      return type === 'input' && props.type !== 'hidden' ? [one] : fieldsIn(props.children);
    });
}

/** Whether the browser submits the form after Enter in this field. */
function isPressedBy({ props }: Drawn): boolean {
  const preventDefault = vi.fn<() => void>();
  props.onKeyDown?.({ key: 'Enter', preventDefault });
  return preventDefault.mock.calls.length === 0;
}
