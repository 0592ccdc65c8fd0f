'use server';

import { moneyAction } from '#lib/action.ts';
import type { ActionProblem } from '#lib/action-state.ts';
import { askNow } from '#lib/movements/ask-now.ts';
import { cancelPayout } from '#lib/payouts/cancel.ts';
import { Refusal } from '#lib/refusal.ts';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** "Ask now": the answer arrives by the page's own way, not by this one. */
export async function askAboutPayout(id: unknown): Promise<{ kind: 'done' } | ActionProblem> {
  return moneyAction(async (actor) => {
    await askNow(actor, payoutId(id));
    return { kind: 'done' as const };
  });
}

export async function cancelOwnPayout(id: unknown): Promise<{ kind: 'done' } | ActionProblem> {
  return moneyAction(async (actor) => {
    await cancelPayout(actor, payoutId(id));
    return { kind: 'done' as const };
  });
}

function payoutId(id: unknown): string {
  if (typeof id !== 'string' || !UUID.test(id)) throw new Refusal('not_found');
  return id;
}
