'use server';

import { revalidatePath } from 'next/cache';
import { getTranslations } from 'next-intl/server';
import { redirect, RedirectType } from 'next/navigation';
import { messageOf } from '#app/action-message.ts';
import type { ActionMessage } from '#components/action-button.tsx';
import { moneyAction } from '#lib/login/action.ts';
import type { ActionProblem } from '#lib/login/action-state.ts';
import { assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { createWallet } from '#lib/wallets/creation/create.ts';
import { giveUpWallet, lookForWallet } from '#lib/wallets/creation/look.ts';
import { walletSchema } from '#lib/wallets/creation/schema.ts';
import { Refusal } from '#lib/access/refusal.ts';
import { UUID } from '#lib/values/uuid.ts';

/** Requests the wallet of this form, once, and redirects to where its outcome is shown. */
export async function openWallet(form: FormData): Promise<ActionProblem> {
  return moneyAction(async (actor): Promise<ActionProblem> => {
    assertMay(actor, 'wallet.create');
    const parsed = walletSchema.safeParse(Object.fromEntries(form));
    if (!parsed.success)
      return {
        kind: 'fields',
        errors: Object.fromEntries(
          parsed.error.issues.map((issue) => [String(issue.path[0]), { code: issue.message }]),
        ),
      };
    const { kind } = await createWallet(actor, parsed.data);
    if (kind === 'name_taken') return { kind: 'fields', errors: { name: { code: kind } } };
    redirect(`/wallets/new?id=${parsed.data.id}`, RedirectType.replace);
  });
}

export async function lookForNewWallet(
  _before: ActionMessage,
  form: FormData,
): Promise<ActionMessage> {
  return carryOut(form, 'unclear.notListed', lookForWallet);
}

export async function giveUpNewWallet(
  _before: ActionMessage,
  form: FormData,
): Promise<ActionMessage> {
  return carryOut(form, 'unclear.givenUp', giveUpWallet);
}

async function carryOut(
  form: FormData,
  words: 'unclear.notListed' | 'unclear.givenUp',
  verb: (actor: Person, id: string) => Promise<string>,
): Promise<ActionMessage> {
  const done = await moneyAction(async (actor) => {
    const id = form.get('id');
    if (typeof id !== 'string' || !UUID.test(id)) throw new Refusal('not_found');
    await verb(actor, id);
    return 'done' as const;
  });
  if (done !== 'done') return messageOf(done);
  // The page shows the result: it links to the wallet that was found.
  revalidatePath('/wallets/new');
  return { ok: true, text: (await getTranslations('newWallet'))(words) };
}
