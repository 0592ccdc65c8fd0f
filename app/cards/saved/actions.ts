'use server';

import { revalidatePath } from 'next/cache';
import { getTranslations } from 'next-intl/server';
import { messageOf } from '#app/action-message.ts';
import type { ActionMessage } from '#components/action-button.tsx';
import { moneyAction } from '#lib/login/action.ts';
import { dayIn } from '#lib/values/dates.ts';
import type { Person } from '#lib/access/actor.ts';
import { Refusal } from '#lib/access/refusal.ts';
import { changeCard, registerCard, removeCard } from '#lib/cards/saved/change.ts';
import type { CardAnswer } from '#lib/cards/saved/change.ts';
import { readChange, readCustomerNumber, readRegistration } from '#lib/cards/saved/schema.ts';
import type { FieldErrors, Read } from '#lib/cards/saved/schema.ts';
import { workspace } from '#lib/runtime/workspace.ts';

/**
 * The result of saving a card, without anything that was typed: no card data goes back to the
 * browser.
 */
export type Registered = (NonNullable<ActionMessage> & { errors?: FieldErrors }) | null;

const CODES = ['86', '88', '89', '108'] as const;

/** Stores the card of this form at the gateway. */
export async function saveNewCard(_before: Registered, form: FormData): Promise<Registered> {
  const read = readRegistration((name) => text(form, name), today());
  if (read.kind === 'errors')
    return {
      ok: false,
      text: (await getTranslations('savedCards.errors'))('some'),
      errors: read.errors,
    };
  return act('save', (actor) => registerCard(actor, read.value));
}

/** New expiry and holder for a saved card. */
export async function editSavedCard(
  _before: ActionMessage,
  form: FormData,
): Promise<ActionMessage> {
  const read = readChange((name) => text(form, name), today());
  if (read.kind === 'errors') return wrong(read);
  return act('edit', (actor) => changeCard(actor, { ...which(form), ...read.value }));
}

export async function deleteSavedCard(
  _before: ActionMessage,
  form: FormData,
): Promise<ActionMessage> {
  return act('delete', (actor) => removeCard(actor, which(form)));
}

async function act(
  what: 'save' | 'edit' | 'delete',
  verb: (actor: Person) => Promise<CardAnswer>,
): Promise<NonNullable<ActionMessage>> {
  const answer = await moneyAction(verb);
  if (!('cards' in answer)) return messageOf(answer);
  revalidatePath('/cards/saved');
  const t = await getTranslations('savedCards.answers');
  const now = answer.cards === null ? t('nowUnread') : t('now', { cards: answer.cards });
  return { ok: answer.kind === 'done', text: `${await wordsOf(what, answer)} ${now}` };
}

async function wordsOf(what: 'save' | 'edit' | 'delete', answer: CardAnswer): Promise<string> {
  const t = await getTranslations('savedCards.answers');
  if (answer.kind === 'gone') return t('gone');
  if (answer.kind !== 'refused') return t(`${what}.${answer.kind}`);
  const known = CODES.find((code) => code === answer.code);
  return known === undefined ? t('refused', { code: answer.code }) : t(`codes.c${known}`);
}

async function wrong({
  errors,
}: Extract<Read<unknown>, { kind: 'errors' }>): Promise<ActionMessage> {
  const t = await getTranslations('savedCards.errors');
  return {
    ok: false,
    text: Object.values(errors)
      .map((code) => t(code))
      .join(' '),
  };
}

/** @throws Refusal not_found */
function which(form: FormData): { customer: string; handle: string } {
  const customer = readCustomerNumber(text(form, 'customer'));
  if (customer === null) throw new Refusal('not_found');
  return { customer, handle: text(form, 'handle') };
}

function today(): string {
  return dayIn(new Date().toISOString(), workspace().timeZone);
}

function text(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value : '';
}
