'use server';

import { getTranslations } from 'next-intl/server';
import { messageOf } from '#app/action-message.ts';
import type { ActionMessage } from '#components/action-button.tsx';
import { moneyAction } from '#lib/login/action.ts';
import { checkPicked } from '#lib/movements/check-picked.ts';

/** Queues a query for each ticked payout; the results arrive through the list's live updates. */
export async function checkPickedPayouts(form: FormData): Promise<NonNullable<ActionMessage>> {
  const done = await moneyAction((actor) => checkPicked(actor, form.getAll('pick').map(String)));
  if ('kind' in done) return messageOf(done);
  const t = await getTranslations('payoutPicks.checked');
  const parts = (['queued', 'recent', 'nothing'] as const).filter(
    (part) => part === 'queued' || done[part] > 0,
  );
  return { ok: true, text: parts.map((part) => t(part, { count: done[part] })).join(' ') };
}
