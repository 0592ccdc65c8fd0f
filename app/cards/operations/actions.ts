'use server';

import { revalidatePath } from 'next/cache';
import { getTranslations } from 'next-intl/server';
import { messageOf } from '#app/action-message.ts';
import type { ActionMessage } from '#components/action-button.tsx';
import { moneyAction } from '#lib/login/action.ts';
import type { ActionProblem } from '#lib/login/action-state.ts';
import { remainingAmounts } from '#lib/cards/operations/remaining-amounts.ts';
import type { RemainingAmounts } from '#lib/cards/operations/remaining-amounts.ts';
import { startCapture, startRefund, startVoid } from '#lib/cards/operations/start.ts';
import type { Started } from '#lib/cards/operations/start.ts';
import { enterAuthorizedDay } from '#lib/cards/payments/enter-authorized-day.ts';
import { readDecimal } from '#lib/values/money.ts';

export type OperateAnswer = Started | ActionProblem;

/** Reads the payment's current record before the person confirms. Moves no money. */
export async function lookAtPayment(paymentId: unknown): Promise<RemainingAmounts | ActionProblem> {
  return moneyAction((actor) => remainingAmounts(actor, String(paymentId)));
}

/**
 * Stores a capture of exactly the given amount ('123.45'); the worker sends it. Submitting the same
 * form again starts no second capture.
 */
export async function capturePayment(form: FormData): Promise<OperateAnswer> {
  return started(
    await moneyAction((actor) =>
      startCapture(actor, { ...idsOf(form), amountMinor: amountOf(form) }),
    ),
  );
}

export async function releasePayment(form: FormData): Promise<OperateAnswer> {
  return started(
    await moneyAction((actor) =>
      startVoid(actor, { ...idsOf(form), reason: textOf(form, 'reason') }),
    ),
  );
}

export async function refundPayment(form: FormData): Promise<OperateAnswer> {
  return started(
    await moneyAction((actor) =>
      startRefund(actor, {
        ...idsOf(form),
        amountMinor: amountOf(form),
        reason: textOf(form, 'reason'),
      }),
    ),
  );
}

/** A person states the authorization date of an authorization of unknown age. */
export async function nameDay(_before: ActionMessage, form: FormData): Promise<ActionMessage> {
  const done = await moneyAction(async (actor) => {
    await enterAuthorizedDay(actor, {
      paymentId: textOf(form, 'paymentId'),
      heldOn: textOf(form, 'heldOn'),
    });
    return 'named' as const;
  });
  if (done !== 'named') return messageOf(done);
  revalidatePath('/cards/payments/[id]', 'page');
  return { ok: true, text: (await getTranslations('cardDialogs.day'))('done') };
}

function started(answer: OperateAnswer): OperateAnswer {
  if (answer.kind === 'started') {
    revalidatePath('/cards/payments/[id]', 'page');
    revalidatePath('/cards/authorizations');
  }
  return answer;
}

/** The amount of the form; 0, which every operation refuses, when it is missing or unreadable. */
function amountOf(form: FormData): bigint {
  return readDecimal(textOf(form, 'amount')) ?? 0n;
}

function idsOf(form: FormData): { id: string; paymentId: string } {
  return { id: textOf(form, 'id'), paymentId: textOf(form, 'paymentId') };
}

function textOf(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value : '';
}
