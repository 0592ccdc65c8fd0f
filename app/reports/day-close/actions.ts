'use server';

import { revalidatePath } from 'next/cache';
import { getTranslations } from 'next-intl/server';
import * as z from 'zod';
import { messageOf } from '#app/action-message.ts';
import type { ActionMessage } from '#components/action-button.tsx';
import { moneyAction } from '#lib/login/action.ts';
import { closeDays } from '#lib/reports/day-close/close.ts';
import { Refusal } from '#lib/access/refusal.ts';
import { walletNames } from '#lib/wallets/names.ts';

const asked = z.object({
  wallet: z.string().regex(/^\d{4,20}$/),
  through: z.iso.date(),
  reason: z.string().max(2_000).catch(''),
});

/** Freezes the figures of a wallet's days. The verb checks the role. */
export async function closeWalletDays(
  _before: ActionMessage,
  form: FormData,
): Promise<ActionMessage> {
  const done = await moneyAction(async (actor) => {
    const read = asked.safeParse(Object.fromEntries(form));
    const wallet = read.success
      ? (await walletNames(actor)).find((one) => one.number === read.data.wallet)
      : undefined;
    if (!read.success || wallet === undefined) throw new Refusal('not_found');
    return {
      closed: await closeDays(
        actor,
        { wallet: wallet.number, currency: wallet.currency },
        read.data.through,
        read.data.reason,
      ),
    };
  });
  if (!('closed' in done)) return messageOf(done);
  revalidatePath('/reports/day-close');
  return {
    ok: true,
    text: (await getTranslations('dayClose'))('closing.done', { count: done.closed }),
  };
}
