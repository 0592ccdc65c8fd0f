import { expect, it, vi } from 'vitest';
import type { Person } from '#lib/access/actor.ts';
import { Refusal } from '#lib/access/refusal.ts';

/** The decision about a payment whose card the bank has verified. */

const completeCharge = vi.fn<(actor: Person, id: string, what: string) => Promise<void>>();
vi.mock('next-intl/server', () => ({ getTranslations: async () => (code: string) => code }));
vi.mock('#app/action-message.ts', () => ({
  messageOf: async ({ code }: { code: string }) => ({ ok: false, text: code }),
}));
vi.mock('#lib/login/action.ts', () => ({
  moneyAction: (verb: (actor: object) => Promise<unknown>) =>
    verb({}).catch((error: unknown) => {
      if (error instanceof Refusal) return { kind: 'refused', code: error.code };
      throw error;
    }),
}));
vi.mock('#lib/cards/checkout/link.ts', () => ({ askForLink: null }));
vi.mock('#lib/cards/checkout/read-card.ts', () => ({ readCard: null }));
vi.mock('#lib/cards/checkout/send.ts', () => ({
  chargeSavedCard: null,
  chargeTypedCard: null,
  completeCharge,
}));
const { completeVerified } = await import('./actions.ts');

it('only the words "complete" and "cancel" decide about a verified order; no other one cancels it', async () => {
  const decide = (what: string | null) => {
    const form = new FormData();
    form.set('id', 'x');
    if (what !== null) form.set('what', what);
    return completeVerified(null, form);
  };
  for (const what of [null, '', 'Complete', 'complete ', 'both'])
    expect(await decide(what), String(what)).toEqual({ ok: false, text: 'not_found' });
  expect(completeCharge).not.toHaveBeenCalled();
  for (const what of ['complete', 'cancel'])
    expect(await decide(what)).toEqual({ ok: true, text: 'made.completing' });
  expect(completeCharge.mock.calls.map(([, , what]) => what)).toEqual(['complete', 'cancel']);
});
