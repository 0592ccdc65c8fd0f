'use server';

import { getTranslations } from 'next-intl/server';
import { messageOf } from '#app/action-message.ts';
import type { ActionMessage } from '#components/action-button.tsx';
import { moneyAction } from '#lib/login/action.ts';
import type { ActionProblem } from '#lib/login/action-state.ts';
import { assertMay } from '#lib/access/actor.ts';
import { Refusal } from '#lib/access/refusal.ts';
import { askForLink } from '#lib/cards/checkout/link.ts';
import { readCard } from '#lib/cards/checkout/read-card.ts';
import type { CardPart } from '#lib/cards/checkout/read-card.ts';
import { chargeSavedCard, chargeTypedCard, completeCharge } from '#lib/cards/checkout/send.ts';

export type Charged =
  | { kind: 'ended'; href: string }
  | { kind: 'invalid'; field: CardPart }
  | Exclude<ActionProblem, { kind: 'fields' }>;

/**
 * Sends the card of this form, once. The card is decrypted for that one request and appears in no
 * response, row, log line or error.
 */
export async function sendTypedCard(form: FormData): Promise<Charged> {
  return ended(
    await moneyAction(async (actor): Promise<Charged> => {
      assertMay(actor, 'card.charge');
      const read = readCard(form);
      if (read.kind === 'invalid') return read;
      const id = String(form.get('id') ?? '');
      await chargeTypedCard(actor, id, read.card);
      return { kind: 'ended', href: `/cards/payments/${id}` };
    }),
  );
}

/** Sends a payment with its saved card, once. */
export async function sendSavedCard(id: string): Promise<Charged> {
  return ended(
    await moneyAction(async (actor): Promise<Charged> => {
      await chargeSavedCard(actor, String(id));
      return { kind: 'ended', href: `/cards/payments/${id}` };
    }),
  );
}

/** Captures or voids a payment after the bank's verification, once. */
export async function completeVerified(
  _before: ActionMessage,
  form: FormData,
): Promise<ActionMessage> {
  const done = await moneyAction(async (actor) => {
    const what = form.get('what');
    if (what !== 'complete' && what !== 'cancel') throw new Refusal('not_found');
    await completeCharge(actor, String(form.get('id') ?? ''), what);
    return 'asked' as const;
  });
  return done === 'asked'
    ? { ok: true, text: (await getTranslations('charges'))('made.completing') }
    : messageOf(done);
}

/** Requests the payment link again after a lost response. */
export async function askLinkAgain(_before: ActionMessage, form: FormData): Promise<ActionMessage> {
  const asked = await moneyAction(async (actor) => {
    await askForLink(actor, String(form.get('id') ?? ''));
    return 'asked' as const;
  });
  return asked === 'asked'
    ? { ok: true, text: (await getTranslations('charges'))('made.asked') }
    : messageOf(asked);
}

function ended(result: Charged | ActionProblem): Charged {
  return result.kind === 'fields' ? { kind: 'invalid', field: 'number' } : result;
}
