'use server';

import { getLocale } from 'next-intl/server';
import { redirect, RedirectType } from 'next/navigation';
import * as z from 'zod';
import { moneyAction } from '#lib/login/action.ts';
import type { ActionProblem } from '#lib/login/action-state.ts';
import { assertMay } from '#lib/access/actor.ts';
import type { Locale } from '#lib/values/locale.ts';
import { recipientFacts } from '#lib/payouts/facts.ts';
import type { RecipientFacts } from '#lib/payouts/facts.ts';
import { knownRecipients } from '#lib/recipients/known.ts';
import type { KnownRecipient } from '#lib/recipients/known.ts';
import type { Finding } from '#lib/payouts/rules.ts';
import { payoutFieldErrors, payoutSchema, readPayoutFormData } from '#lib/payouts/schema.ts';
import { submitPayout } from '#lib/payouts/submit.ts';
import { UUID } from '#lib/values/uuid.ts';

const part = z.string().max(200).nullable().catch(null);
const question = z.object({ iban: part, name: part, taxNumber: part, wallet: part });

export type SubmitAnswer = ActionProblem | { kind: 'findings'; findings: Finding[] };

/**
 * Stores the payout and opens its page; submitting the same form again opens the same page. Nothing
 * is sent here: the worker sends.
 */
export async function sendPayout(form: FormData): Promise<SubmitAnswer> {
  return moneyAction(async (actor): Promise<SubmitAnswer> => {
    assertMay(actor, 'payout.prepare');
    const parsed = payoutSchema.safeParse(readPayoutFormData(form));
    if (!parsed.success)
      return {
        kind: 'fields',
        errors: Object.fromEntries(
          payoutFieldErrors(parsed.error).map((error) => [error.field, error]),
        ),
      };
    const retryOf = form.get('retryOf');
    const result = await submitPayout(actor, parsed.data, {
      locale: (await getLocale()) as Locale,
      retryOf: typeof retryOf === 'string' && UUID.test(retryOf) ? retryOf : null,
    });
    if (result.kind === 'findings') return result;
    // Replaces the form in the history: the back button leads to where the form was opened.
    redirect(`/payouts/${result.id}`, RedirectType.replace);
  });
}

/** The recipient's history in our own records, for what is typed so far. */
export async function lookUpRecipient(
  asked: unknown,
): Promise<ActionProblem | { kind: 'known'; facts: RecipientFacts }> {
  return moneyAction(async (actor) => ({
    kind: 'known' as const,
    facts: await recipientFacts(actor, question.parse(asked)),
  }));
}

export async function findRecipients(
  text: unknown,
): Promise<ActionProblem | { kind: 'found'; recipients: KnownRecipient[] }> {
  return moneyAction(async (actor) => ({
    kind: 'found' as const,
    recipients: await knownRecipients(actor, z.string().max(200).catch('').parse(text)),
  }));
}
