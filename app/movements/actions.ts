'use server';

import { revalidatePath } from 'next/cache';
import { getTranslations } from 'next-intl/server';
import { missingOfWord, messageOf } from '#app/action-message.ts';
import type { ActionMessage } from '#components/action-button.tsx';
import { moneyAction } from '#lib/login/action.ts';
import type { ActionProblem } from '#lib/login/action-state.ts';
import { acknowledgeAlert } from '#lib/movements/acknowledge.ts';
import { checkNow } from '#lib/movements/check-now.ts';
import { cancelMovement } from '#lib/movements/cancel.ts';
import { CLOSE_CLAIMS } from '#lib/movements/closable.ts';
import { markOutcomeSeen } from '#lib/movements/outcome-seen.ts';
import { closeMovement } from '#lib/movements/close.ts';
import type { Closed } from '#lib/movements/close.ts';
import { Refusal } from '#lib/access/refusal.ts';
import { UUID } from '#lib/values/uuid.ts';

/**
 * "Ask now": queues a query; its result arrives through the page's live updates, not in this
 * response.
 */
export async function askAboutMovement(id: unknown): Promise<{ kind: 'done' } | ActionProblem> {
  return moneyAction(async (actor) => {
    await checkNow(actor, payoutId(id));
    return { kind: 'done' as const };
  });
}

export async function cancelOwnMovement(id: unknown): Promise<{ kind: 'done' } | ActionProblem> {
  return moneyAction(async (actor) => {
    await cancelMovement(actor, payoutId(id));
    return { kind: 'done' as const };
  });
}

/** The form names the alert that the page showed: a newer alert has not been seen yet. */
export async function acknowledgeFlag(
  _before: ActionMessage,
  form: FormData,
): Promise<ActionMessage> {
  const text = (name: string): string => {
    const value = form.get(name);
    return typeof value === 'string' ? value : '';
  };
  const done = await moneyAction(async (actor) => {
    await acknowledgeAlert(actor, payoutId(form.get('id')), text('alert'), text('reason'));
    return 'done' as const;
  });
  return done === 'done'
    ? { ok: true, text: (await getTranslations('payout.seen'))('done') }
    : messageOf(done);
}

/** A person has seen that a movement was rejected, failed or returned. */
export async function seeOutcome(_before: ActionMessage, form: FormData): Promise<ActionMessage> {
  const done = await moneyAction(async (actor) => {
    await markOutcomeSeen(actor, payoutId(form.get('id')));
    return 'seen' as const;
  });
  if (done !== 'seen') return messageOf(done);
  revalidatePath('/');
  return { ok: true, text: (await getTranslations('home.outcomes'))('done') };
}

/**
 * A person's statement on a movement that no automatic check can end; an empty claim withdraws an
 * earlier statement.
 */
export async function submitMovementStatement(
  _before: ActionMessage,
  form: FormData,
): Promise<ActionMessage> {
  const missing = await missingOfWord(form);
  if (missing !== null) return missing;
  const text = (name: string): string => String(form.get(name) ?? '');
  const done = await moneyAction(async (actor) => {
    const claim = text('claim') === '' ? null : CLOSE_CLAIMS.find((one) => one === text('claim'));
    if (claim === undefined) throw new Refusal('not_found');
    return closeMovement(actor, {
      id: payoutId(form.get('id')),
      claim,
      reason: text('reason'),
      reference: text('reference'),
    });
  });
  if (!isClosed(done)) return messageOf(done);
  revalidatePath('/cards/payments/[id]', 'page');
  return { ok: true, text: (await getTranslations('secondPerson.result'))(done.kind) };
}

function isClosed(done: Closed | ActionProblem): done is Closed {
  return ['closed', 'asked', 'contradicted', 'taken_back'].includes(done.kind);
}

function payoutId(id: unknown): string {
  if (typeof id !== 'string' || !UUID.test(id)) throw new Refusal('not_found');
  return id;
}
