'use server';

import * as z from 'zod';
import { moneyAction } from '#lib/login/action.ts';
import type { ActionProblem } from '#lib/login/action-state.ts';
import { assertMay } from '#lib/access/actor.ts';
import { askInstallments } from '#lib/cards/checkout/installments.ts';
import type { InstallmentOptions } from '#lib/cards/checkout/installments.ts';
import { askForLink } from '#lib/cards/checkout/link.ts';
import { makeCharge } from '#lib/cards/checkout/make.ts';
import { savedCardsOf } from '#lib/cards/checkout/saved-cards.ts';
import type { SavedCardChoice } from '#lib/cards/checkout/saved-cards.ts';
import { CURRENCIES, readCharge } from '#lib/cards/checkout/schema.ts';
import type { TypedCharge } from '#lib/cards/checkout/schema.ts';
import { LOCALES } from '#lib/values/locale.ts';
import { parseAmount } from '#lib/values/money.ts';
import { Refusal } from '#lib/access/refusal.ts';

/** Stores the payment of this form, once; `href` is the next page. */
export async function startCharge(
  typed: TypedCharge,
): Promise<ActionProblem | { kind: 'made'; href: string }> {
  return moneyAction(async (actor): Promise<ActionProblem | { kind: 'made'; href: string }> => {
    assertMay(actor, 'card.charge');
    const read = readCharge(typed);
    if (read.kind === 'no_form') throw new Refusal('not_found');
    if (read.kind === 'errors') return { kind: 'fields', errors: read.errors };
    const { isNew } = await makeCharge(actor, read);
    const href = `/cards/payments/${read.id}`;
    if (read.way !== 'link') return { kind: 'made', href: `${href}/take` };
    // After a lost response the payment's page says so and offers to request again.
    if (isNew)
      await askForLink(actor, read.id).catch((error: unknown) => {
        if (!(error instanceof Refusal)) throw error;
      });
    return { kind: 'made', href };
  });
}

const question = z.object({
  prefix: z.string(),
  amount: z.string().max(60),
  locale: z.enum(LOCALES),
  currency: z.enum(CURRENCIES),
  recurring: z.boolean(),
  nonSecure: z.boolean(),
  commissionBy: z.enum(['merchant', 'user']).nullable(),
});

/** Installment options for the amount, with their commissions. */
export async function lookUpInstallments(
  asked: z.input<typeof question>,
): Promise<ActionProblem | { kind: 'asked'; answer: InstallmentOptions }> {
  return moneyAction(async (actor) => {
    assertMay(actor, 'card.charge');
    const parsed = question.safeParse(asked);
    if (!parsed.success) throw new Refusal('not_found');
    const { amount, locale, ...rest } = parsed.data;
    const read = parseAmount(amount, locale, rest.currency);
    return {
      kind: 'asked' as const,
      answer: await askInstallments(actor, {
        ...rest,
        amountMinor: read.kind === 'ok' ? read.minor : 0n,
      }),
    };
  });
}

/**
 * The cards that the gateway stores for a customer of the merchant; null when it does not answer.
 */
export async function findSavedCards(
  customerNumber: string,
): Promise<ActionProblem | { kind: 'asked'; cards: SavedCardChoice[] | null }> {
  return moneyAction(async (actor) => ({
    kind: 'asked' as const,
    cards: await savedCardsOf(actor, String(customerNumber)),
  }));
}
