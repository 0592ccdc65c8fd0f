'use server';

import { getTranslations } from 'next-intl/server';
import { saidOf } from '#app/said.ts';
import type { Said } from '#components/action-button.tsx';
import { moneyAction } from '#lib/login/action.ts';
import type { ActionProblem } from '#lib/login/action-state.ts';
import { assertMay } from '#lib/access/actor.ts';
import { askForLink } from '#lib/cards/checkout/link.ts';
import { readCard } from '#lib/cards/checkout/read-card.ts';
import type { CardPart } from '#lib/cards/checkout/read-card.ts';
import { chargeSavedCard, chargeTypedCard, completeCharge } from '#lib/cards/checkout/send.ts';

export type Charged =
  | { kind: 'ended'; href: string }
  | { kind: 'invalid'; field: CardPart }
  | Exclude<ActionProblem, { kind: 'fields' }>;

/**
 * Charges the card of this form, once. The card is opened for that one request and is in no answer,
 * row, line or error.
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

/** Charges the saved card of this payment, once. */
export async function sendSavedCard(id: string): Promise<Charged> {
  return ended(
    await moneyAction(async (actor): Promise<Charged> => {
      await chargeSavedCard(actor, String(id));
      return { kind: 'ended', href: `/cards/payments/${id}` };
    }),
  );
}

/** Takes the money of a verified card, or calls the order off; once. */
export async function completeVerified(_before: Said, form: FormData): Promise<Said> {
  const done = await moneyAction(async (actor) => {
    await completeCharge(
      actor,
      String(form.get('id') ?? ''),
      form.get('what') === 'complete' ? 'complete' : 'cancel',
    );
    return 'asked' as const;
  });
  return done === 'asked'
    ? { ok: true, text: (await getTranslations('charges'))('made.completing') }
    : saidOf(done);
}

/** Asks for a link that no answer came to. */
export async function askLinkAgain(_before: Said, form: FormData): Promise<Said> {
  const asked = await moneyAction(async (actor) => {
    await askForLink(actor, String(form.get('id') ?? ''));
    return 'asked' as const;
  });
  return asked === 'asked'
    ? { ok: true, text: (await getTranslations('charges'))('made.asked') }
    : saidOf(asked);
}

function ended(heard: Charged | ActionProblem): Charged {
  return heard.kind === 'fields' ? { kind: 'invalid', field: 'number' } : heard;
}
