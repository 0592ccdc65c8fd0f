'use server';

import { revalidatePath } from 'next/cache';
import { getLocale, getTranslations } from 'next-intl/server';
import * as z from 'zod';
import { messageOf } from '#app/action-message.ts';
import type { ActionMessage } from '#components/action-button.tsx';
import { assertMay, ROLES } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { Refusal } from '#lib/access/refusal.ts';
import { readAmount } from '#lib/form-fields/money-form.ts';
import { moneyAction } from '#lib/login/action.ts';
import { changePerson } from '#lib/people/change.ts';
import { confirmPeopleChange, endPeopleRequest } from '#lib/people/confirm.ts';
import { endDeputyship } from '#lib/people/end-deputy.ts';
import { endSessionsOfPerson } from '#lib/people/end-sessions.ts';
import { invitePerson, withdrawInvitation } from '#lib/people/invite.ts';
import { nameDeputy } from '#lib/people/name-deputy.ts';
import { setPersonLimit } from '#lib/people/set-limit.ts';
import { POLICY_CURRENCIES } from '#lib/policy/rules.ts';
import type { Locale } from '#lib/values/locale.ts';
import { readDay } from '#lib/values/typed-day.ts';

const id = z.object({ id: z.uuid() });
const reason = z.string().max(2_000).catch('');
const invitation = z.object({
  email: z.string().max(2_000).catch(''),
  role: z.enum(ROLES),
  reason,
});
const change = z.discriminatedUnion('change', [
  z.object({ change: z.literal('role'), id: z.uuid(), role: z.enum(ROLES), reason }),
  z.object({
    change: z.enum(['disable', 'enable']),
    id: z.uuid(),
    reason,
    ends: z.string().optional(),
    understood: z.string().optional(),
  }),
]);
const confirmation = z.object({
  kind: z.enum(['person', 'limits', 'invitation', 'deputy']),
  id: z.uuid(),
  claim: z.string().max(60),
});
const ended = z.object({ kind: z.enum(['person', 'limits']).catch('person'), id: z.uuid() });
const typedAmount = z.string().max(40).catch('');
const typedLimit = z.object({
  id: z.uuid(),
  currency: z.enum(POLICY_CURRENCIES),
  single: typedAmount,
  day: typedAmount,
  reason,
});
const typedDay = z.string().max(20).catch('');
const deputy = z.object({
  person: z.uuid(),
  deputy: z.uuid(),
  first: typedDay,
  last: typedDay,
  reason,
});
const session = z.object({ id: z.uuid(), session: z.union([z.uuid(), z.literal('all')]) });

/** Invites an address of the provider's login. Each verb checks the role. */
export async function invitePersonNow(
  _before: ActionMessage,
  form: FormData,
): Promise<ActionMessage> {
  return carryOut(async (actor) => {
    const done = await invitePerson(actor, read(invitation, form));
    return done === 'done' ? 'invited' : 'inviteAsked';
  });
}

export async function withdrawInvitationNow(
  _before: ActionMessage,
  form: FormData,
): Promise<ActionMessage> {
  return carryOut(async (actor) => {
    await withdrawInvitation(actor, read(id, form).id);
    return 'withdrawn';
  });
}

/**
 * Changes the role of a person, or disables or enables the person. `ends`: the dialog has named what
 * ends with it, and asks for a tick.
 */
export async function changePersonNow(
  _before: ActionMessage,
  form: FormData,
): Promise<ActionMessage> {
  return carryOut(async (actor) => {
    const given = read(change, form);
    const to =
      given.change === 'role'
        ? ({ kind: 'role', role: given.role } as const)
        : ({ kind: given.change } as const);
    if ('ends' in given && given.ends !== undefined && given.understood !== 'on')
      throw new Refusal('ends_not_ticked');
    const done = await changePerson(actor, given.id, to, given.reason);
    return done === 'asked' ? 'asked' : `${given.change}Done`;
  });
}

/** Sets how much may leave on a person's word alone; an empty amount is no limit. */
export async function setPersonLimitNow(
  _before: ActionMessage,
  form: FormData,
): Promise<ActionMessage> {
  const locale = (await getLocale()) as Locale;
  return carryOut(async (actor) => {
    assertMay(actor, 'people.manage');
    const { id: personId, currency, single, day, reason: why } = read(typedLimit, form);
    const minor = (text: string): bigint | null => {
      if (text.trim() === '') return null;
      const typed = readAmount(text, locale, () => null);
      if (typed === null || (typed.written !== null && typed.written !== currency))
        throw new Refusal('limit_unread', { text });
      return typed.minor;
    };
    const limit = { currency, singleMinor: minor(single), dayMinor: minor(day) };
    const done = await setPersonLimit(actor, personId, limit, why);
    return done === 'asked' ? 'asked' : 'limitDone';
  });
}

/** Names who stands in for an approver or an owner, from a day to a day. */
export async function nameDeputyNow(
  _before: ActionMessage,
  form: FormData,
): Promise<ActionMessage> {
  return carryOut(async (actor) => {
    assertMay(actor, 'people.confirm');
    const given = read(deputy, form);
    const done = await nameDeputy(actor, {
      personId: given.person,
      deputyId: given.deputy,
      firstDay: readDay(given.first) ?? '',
      lastDay: readDay(given.last) ?? '',
      reason: given.reason,
    });
    return done === 'asked' ? 'deputyAsked' : 'deputyDone';
  });
}

/** Ends a deputyship: either of the two for themselves, or an owner. */
export async function endDeputyNow(_before: ActionMessage, form: FormData): Promise<ActionMessage> {
  return carryOut(async (actor) => {
    await endDeputyship(actor, read(id, form).id);
    return 'deputyEnded';
  });
}

/** The second person agrees. */
export async function confirmPersonChange(
  _before: ActionMessage,
  form: FormData,
): Promise<ActionMessage> {
  return carryOut(async (actor) => {
    const { claim, ...subject } = read(confirmation, form);
    await confirmPeopleChange(actor, subject, claim);
    return 'confirmed';
  });
}

/** Withdraws one's own request, or declines another person's. */
export async function endPersonRequest(
  _before: ActionMessage,
  form: FormData,
): Promise<ActionMessage> {
  return carryOut(async (actor) => {
    const given = read(ended, form);
    await endPeopleRequest(actor, given.id, given.kind);
    return 'ended';
  });
}

/** Ends one session of another person, or all. */
export async function endPersonSessions(
  _before: ActionMessage,
  form: FormData,
): Promise<ActionMessage> {
  return carryOut(async (actor) => {
    const given = read(session, form);
    await endSessionsOfPerson(actor, given.id, given.session);
    return 'sessionsEnded';
  });
}

type Result =
  | 'invited'
  | 'inviteAsked'
  | 'withdrawn'
  | 'asked'
  | 'roleDone'
  | 'limitDone'
  | 'disableDone'
  | 'enableDone'
  | 'confirmed'
  | 'ended'
  | 'sessionsEnded'
  | 'deputyDone'
  | 'deputyAsked'
  | 'deputyEnded';

async function carryOut(verb: (actor: Person) => Promise<Result>): Promise<ActionMessage> {
  const done = await moneyAction(async (actor) => ({ result: await verb(actor) }));
  if (!('result' in done)) return messageOf(done);
  revalidatePath('/people', 'layout');
  revalidatePath('/settings');
  return { ok: true, text: (await getTranslations('people.results'))(done.result) };
}

function read<T>(schema: z.ZodType<T>, form: FormData): T {
  const parsed = schema.safeParse(Object.fromEntries(form));
  if (!parsed.success) throw new Refusal('not_found');
  return parsed.data;
}
