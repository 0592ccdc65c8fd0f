'use server';

import { revalidatePath } from 'next/cache';
import { getTranslations } from 'next-intl/server';
import { messageOf } from '#app/action-message.ts';
import type { ActionMessage } from '#components/action-button.tsx';
import type { Person } from '#lib/access/actor.ts';
import { moneyAction } from '#lib/login/action.ts';
import { dismissOnboarding, restoreOnboarding } from '#lib/onboarding/dismiss.ts';

/** Hides the list of first steps on the home page. */
export async function dismissFirstSteps(): Promise<ActionMessage> {
  return act(dismissOnboarding, 'dismissed');
}

/** Shows the list of first steps again. */
export async function restoreFirstSteps(): Promise<ActionMessage> {
  return act(restoreOnboarding, 'restored');
}

async function act(
  verb: (actor: Person) => Promise<void>,
  result: 'dismissed' | 'restored',
): Promise<ActionMessage> {
  const done = await moneyAction(async (actor) => {
    await verb(actor);
    return 'done' as const;
  });
  if (done !== 'done') return messageOf(done);
  revalidatePath('/');
  revalidatePath('/settings');
  return { ok: true, text: (await getTranslations('onboarding'))(result) };
}
