'use server';

import { revalidatePath } from 'next/cache';
import { getTranslations } from 'next-intl/server';
import { messageOf } from '#app/action-message.ts';
import type { ActionMessage } from '#components/action-button.tsx';
import { moneyAction } from '#lib/login/action.ts';
import { addCardPayments } from '#lib/cards/payments/add.ts';
import { askAboutPayment } from '#lib/cards/payments/check-now.ts';
import { seeCardProblem } from '#lib/cards/payments/see-problem.ts';

/** Adds order numbers to the register; the worker reads their records. */
export async function addOrders(_before: ActionMessage, form: FormData): Promise<ActionMessage> {
  const done = await moneyAction((actor) =>
    addCardPayments(actor, {
      text: String(form.get('orders') ?? ''),
      heldOn: String(form.get('heldOn') ?? ''),
    }),
  );
  if (!('added' in done)) return messageOf(done);
  revalidatePath('/cards/payments');
  revalidatePath('/cards/authorizations');
  return { ok: true, text: (await getTranslations('cards'))('add.done', done) };
}

export async function askAboutCard(_before: ActionMessage, form: FormData): Promise<ActionMessage> {
  const asked = await moneyAction(async (actor) => {
    await askAboutPayment(actor, String(form.get('id') ?? ''));
    return 'asked' as const;
  });
  if (asked !== 'asked') return messageOf(asked);
  return { ok: true, text: (await getTranslations('cards'))('asked') };
}

/** A person has looked into a card payment that needs attention. */
export async function seeProblem(_before: ActionMessage, form: FormData): Promise<ActionMessage> {
  const text = (name: string): string => {
    const value = form.get(name);
    return typeof value === 'string' ? value : '';
  };
  const done = await moneyAction(async (actor) => {
    await seeCardProblem(actor, {
      paymentId: text('id'),
      problem: text('problem') || null,
      reason: text('reason'),
    });
    return 'seen' as const;
  });
  if (done !== 'seen') return messageOf(done);
  revalidatePath('/cards/payments', 'layout');
  return { ok: true, text: (await getTranslations('payout.seen'))('done') };
}
