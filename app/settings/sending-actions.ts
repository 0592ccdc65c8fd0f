'use server';

import { revalidatePath } from 'next/cache';
import { getTranslations } from 'next-intl/server';
import * as z from 'zod';
import { messageOf } from '#app/action-message.ts';
import type { ActionMessage } from '#components/action-button.tsx';
import { moneyAction } from '#lib/login/action.ts';
import type { Person } from '#lib/access/actor.ts';
import { Refusal } from '#lib/access/refusal.ts';
import { requestResume, confirmResume, withdrawResume } from '#lib/send-control/resume.ts';
import { stopSending } from '#lib/send-control/stop.ts';
import { CAUSES, STOPPABLE_KINDS } from '#lib/send-control/stops.ts';

const kind = z.enum(STOPPABLE_KINDS);
const which = z.object({ kind, cause: z.enum(CAUSES) });
const reason = z.string().max(2_000).catch('');

export async function stopSendingNow(
  _before: ActionMessage,
  form: FormData,
): Promise<ActionMessage> {
  return carryOut('stop.done', async (actor) =>
    stopSending(actor, read(kind, form.get('kind')), reason.parse(form.get('reason'))),
  );
}

export async function askToLetGo(_before: ActionMessage, form: FormData): Promise<ActionMessage> {
  return carryOut('release.asked', async (actor) =>
    requestResume(actor, read(which, Object.fromEntries(form)), reason.parse(form.get('reason'))),
  );
}

export async function takeBackLettingGo(
  _before: ActionMessage,
  form: FormData,
): Promise<ActionMessage> {
  return carryOut('release.takenBack', async (actor) =>
    withdrawResume(actor, read(which, Object.fromEntries(form)), reason.parse(form.get('reason'))),
  );
}

export async function letSendingGo(_before: ActionMessage, form: FormData): Promise<ActionMessage> {
  return carryOut('release.done', async (actor) =>
    confirmResume(actor, read(which, Object.fromEntries(form))),
  );
}

async function carryOut(
  words: 'stop.done' | 'release.asked' | 'release.takenBack' | 'release.done',
  verb: (actor: Person) => Promise<void>,
): Promise<ActionMessage> {
  const done = await moneyAction(async (actor) => {
    await verb(actor);
    return 'done' as const;
  });
  if (done !== 'done') return messageOf(done);
  revalidatePath('/settings');
  return { ok: true, text: (await getTranslations('sending'))(words) };
}

function read<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw new Refusal('not_found');
  return parsed.data;
}
