import { expect, it, vi } from 'vitest';
import type { Person } from '#lib/access/actor.ts';
import { Refusal } from '#lib/access/refusal.ts';

/** Forms about a payment that waits since a recovery, with an id that is none. */

const reached = vi.fn<(actor: Person, id: string) => Promise<void>>();

vi.mock('next/cache', () => ({ revalidatePath: () => undefined }));
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
vi.mock('#lib/movements/cancel.ts', () => ({ cancelMovement: reached }));
vi.mock('#lib/send-control/confirm-send.ts', () => ({
  cancelHeldCharge: reached,
  confirmSend: reached,
}));
const { cancelHeld, sendHeld } = await import('./held-actions.ts');

const form = (fields: Record<string, string>): FormData => {
  const made = new FormData();
  for (const [name, value] of Object.entries(fields)) made.set(name, value);
  return made;
};

it.each<Record<string, string>>([
  {},
  { id: '' },
  { id: 'x' },
  { id: '9'.repeat(40) },
  { id: 'x', kind: 'plan_charge' },
])('the form %j is answered "not found" before any verb asks the database', async (fields) => {
  for (const action of [cancelHeld, sendHeld])
    expect(await action(null, form(fields))).toEqual({ ok: false, text: 'not_found' });
  expect(reached).not.toHaveBeenCalled();
});
