'use server';

import { revalidatePath } from 'next/cache';
import { getTranslations } from 'next-intl/server';
import { messageOf } from '#app/action-message.ts';
import type { ActionMessage } from '#components/action-button.tsx';
import { moneyAction } from '#lib/login/action.ts';
import { reportKeysLost } from '#lib/passkeys/lost.ts';
import { removeKey } from '#lib/passkeys/remove.ts';

/** Removes one of the person's own keys. */
export async function removeOwnKey(_before: ActionMessage, form: FormData): Promise<ActionMessage> {
  const done = await moneyAction(async (actor) => {
    await removeKey(actor, String(form.get('id') ?? ''));
    return 'removed' as const;
  });
  return answer(done);
}

/** One of two people says that somebody has lost their keys; the verb checks the role. */
export async function reportLost(_before: ActionMessage, form: FormData): Promise<ActionMessage> {
  const done = await moneyAction((actor) =>
    reportKeysLost(actor, {
      personId: String(form.get('id') ?? ''),
      reason: String(form.get('reason') ?? ''),
    }),
  );
  return answer(done === 'removed' ? 'lost' : done);
}

async function answer(
  done: 'removed' | 'waiting' | 'lost' | Parameters<typeof messageOf>[0],
): Promise<ActionMessage> {
  if (typeof done !== 'string') return messageOf(done);
  revalidatePath('/settings/passkeys');
  return { ok: true, text: (await getTranslations('passkeys.done'))(done) };
}
