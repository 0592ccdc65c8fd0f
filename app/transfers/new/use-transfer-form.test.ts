import { beforeEach, expect, it, vi } from 'vitest';
import { hooks, runEffects } from '#lib/testing/held-hooks.ts';
import { NO_TRANSFER_TYPED } from '#lib/transfers/draft.ts';
import { useTransferForm } from './use-transfer-form.ts';
import type { TransferFormFacts } from './use-transfer-form.ts';

/** What the transfer form keeps over a reload. */

// The tests run without a page: the hook is called as a function.
vi.mock('react', async () => {
  const { heldHooks } = await import('#lib/testing/held-hooks.ts');
  return {
    ...heldHooks,
    useLayoutEffect: heldHooks.useEffect,
    useMemo: (make: () => unknown) => make(),
  };
});
vi.mock('next-intl', () => ({ useLocale: () => 'tr' }));
vi.mock('#app/movements/form/use-wallets.ts', () => ({}));
vi.mock('#app/movements/form/use-money-form.ts', () => ({
  useDraft: () => draft,
  useJudged: () => ({}),
}));
vi.mock('./actions.ts', () => ({ sendTransfer: null }));
vi.mock('./use-person.ts', () => ({ usePerson: () => ({ person: null }) }));
vi.mock('./use-payee.ts', () => ({ usePayee: () => ({ answer: null, missing: false }) }));

const change = vi.fn<(typed: object) => void>();
const DRAFT = {
  typed: NO_TRANSFER_TYPED,
  step: 'edit',
  wallets: { value: [], fresh: true },
  change,
};
let draft: typeof DRAFT;

beforeEach(() => {
  const stored = new Map<string, string>();
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, text: string) => void stored.set(key, text),
    removeItem: (key: string) => void stored.delete(key),
  });
});

it('what was typed is there after a reload in the review', () => {
  const typed = { ...NO_TRANSFER_TYPED, phone: '5321234567', amount: '1.000,00' };
  open({ ...DRAFT, typed, step: 'review' });
  open(DRAFT);
  expect(change).toHaveBeenCalledExactlyOnceWith(typed);
});

/** Loads the form, and draws it in this state. */
function open(state: typeof DRAFT): void {
  Object.assign(hooks, { held: [], next: 0 });
  draft = state;
  useTransferForm({
    id: '0b9f1de7-86ea-4a5e-9d1a-0f52f3b1c0aa',
    keptAs: 'draft:person:form',
    types: [],
    ownLimits: [],
    now: '2026-03-02T09:00:00Z',
  } as unknown as TransferFormFacts);
  runEffects();
}
