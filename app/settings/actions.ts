'use server';

import { revalidatePath } from 'next/cache';
import { getTranslations } from 'next-intl/server';
import * as z from 'zod';
import { messageOf } from '#app/action-message.ts';
import type { ActionMessage } from '#components/action-button.tsx';
import { moneyAction } from '#lib/login/action.ts';
import { Refusal } from '#lib/access/refusal.ts';
import { endSessions } from '#lib/login/session.ts';

const sessionId = z.uuid();

/**
 * Ends another session of the same person. For an ended session, or another person's, the answer is
 * "not found".
 */
export async function endOneSession(
  _before: ActionMessage,
  form: FormData,
): Promise<ActionMessage> {
  const done = await moneyAction(async (actor) => {
    const id = sessionId.safeParse(form.get('id'));
    if (!id.success) throw new Refusal('not_found');
    if ((await endSessions(actor, id.data)) === 0) throw new Refusal('not_found');
    return 'ended' as const;
  });
  if (done !== 'ended') return messageOf(done);
  revalidatePath('/settings');
  return { ok: true, text: (await getTranslations('settings'))('sessions.ended') };
}
