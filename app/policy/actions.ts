'use server';

import { revalidatePath } from 'next/cache';
import { getLocale, getTranslations } from 'next-intl/server';
import { messageOf } from '#app/action-message.ts';
import type { ActionMessage } from '#components/action-button.tsx';
import { assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { Refusal } from '#lib/access/refusal.ts';
import { moneyAction } from '#lib/login/action.ts';
import { confirmPolicy } from '#lib/policy/confirm.ts';
import { readTypedRules } from '#lib/policy/form.ts';
import { readTypedStepUp } from '#lib/policy/step-up-form.ts';
import { proposePolicy, withdrawPolicy } from '#lib/policy/propose.ts';
import type { Locale } from '#lib/values/locale.ts';
import { UUID } from '#lib/values/uuid.ts';

/** An owner proposes the rules of the form; each verb checks the role. */
export async function proposeRules(_before: ActionMessage, form: FormData): Promise<ActionMessage> {
  const locale = (await getLocale()) as Locale;
  return act('proposed', async (actor) => {
    assertMay(actor, 'policy.propose');
    const read = readTypedRules(text(form, 'rules'), locale);
    if (read.kind === 'incomplete')
      throw new Refusal('policy_rule_incomplete', { number: read.number });
    const stepUp = readTypedStepUp(text(form, 'stepUp'), locale);
    if (stepUp === 'incomplete') throw new Refusal('policy_step_up_incomplete');
    await proposePolicy(actor, { rules: read.rules, stepUp, reason: text(form, 'reason') });
  });
}

/** The second person confirms the rules that the page showed. */
export async function confirmRules(_before: ActionMessage, form: FormData): Promise<ActionMessage> {
  return act('confirmed', (actor) => confirmPolicy(actor, idIn(form)));
}

export async function withdrawRules(
  _before: ActionMessage,
  form: FormData,
): Promise<ActionMessage> {
  return act('withdrawn', (actor) =>
    withdrawPolicy(actor, { id: idIn(form), reason: text(form, 'reason') }),
  );
}

async function act(
  result: 'proposed' | 'confirmed' | 'withdrawn',
  verb: (actor: Person) => Promise<void>,
): Promise<ActionMessage> {
  const done = await moneyAction(async (actor) => {
    await verb(actor);
    return 'done' as const;
  });
  if (done !== 'done') return messageOf(done);
  revalidatePath('/policy');
  return { ok: true, text: (await getTranslations('policy.done'))(result) };
}

function idIn(form: FormData): string {
  const id = text(form, 'id');
  if (!UUID.test(id)) throw new Refusal('policy_not_proposed');
  return id;
}

function text(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value : '';
}
