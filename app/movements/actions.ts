'use server';

import { getTranslations } from 'next-intl/server';
import { saidOf } from '#app/said.ts';
import type { Said } from '#components/action-button.tsx';
import { moneyAction } from '#lib/action.ts';
import type { ActionProblem } from '#lib/action-state.ts';
import { closeCashout } from '#lib/cashouts/close.ts';
import { acknowledgeAttention } from '#lib/movements/acknowledge.ts';
import { askNow } from '#lib/movements/ask-now.ts';
import { cancelMovement } from '#lib/movements/cancel.ts';
import { Refusal } from '#lib/refusal.ts';
import { UUID } from '#lib/uuid.ts';


/** "Ask now": the answer arrives by the page's own way, not by this one. */
export async function askAboutMovement(id: unknown): Promise<{ kind: 'done' } | ActionProblem> {
  return moneyAction(async (actor) => {
    await askNow(actor, payoutId(id));
    return { kind: 'done' as const };
  });
}

export async function cancelOwnMovement(id: unknown): Promise<{ kind: 'done' } | ActionProblem> {
  return moneyAction(async (actor) => {
    await cancelMovement(actor, payoutId(id));
    return { kind: 'done' as const };
  });
}

/** The flag that the page showed is named: another one that came meanwhile has not been seen. */
export async function acknowledgeFlag(_before: Said, form: FormData): Promise<Said> {
  const text = (name: string): string => {
    const value = form.get(name);
    return typeof value === 'string' ? value : '';
  };
  const done = await moneyAction(async (actor) => {
    await acknowledgeAttention(actor, payoutId(form.get('id')), text('attention'), text('reason'));
    return 'done' as const;
  });
  return done === 'done' ? { ok: true, text: (await getTranslations('payout.seen'))('done') } : saidOf(done);
}

/** What a person has seen in the gateway's panel or statement: the second who says the same closes it. */
export async function sayOfCashout(_before: Said, form: FormData): Promise<Said> {
  const done = await moneyAction(async (actor) => {
    const [word, reason] = [form.get('word'), form.get('reason')];
    if (word !== 'taken' && word !== 'not_taken') throw new Refusal('not_found');
    return (await closeCashout(actor, { id: payoutId(form.get('id')), word, reason: typeof reason === 'string' ? reason : '' })).kind;
  });
  return typeof done === 'string' ? { ok: true, text: (await getTranslations('cashout.close'))(done) } : saidOf(done);
}

function payoutId(id: unknown): string {
  if (typeof id !== 'string' || !UUID.test(id)) throw new Refusal('not_found');
  return id;
}
