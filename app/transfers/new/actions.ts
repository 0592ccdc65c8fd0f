'use server';

import { getLocale } from 'next-intl/server';
import { redirect, RedirectType } from 'next/navigation';
import * as z from 'zod';
import { moneyAction } from '#lib/login/action.ts';
import type { ActionProblem } from '#lib/login/action-state.ts';
import { assertMay } from '#lib/access/actor.ts';
import type { Locale } from '#lib/values/locale.ts';
import { TRANSFER_KINDS } from '#lib/movements/kinds.ts';
import { checkPerson } from '#lib/transfers/check-person.ts';
import { payeeFacts } from '#lib/transfers/facts.ts';
import type { PayeeFacts } from '#lib/transfers/facts.ts';
import type { PersonFound } from '#lib/transfers/person.ts';
import type { TransferFinding } from '#lib/transfers/rules.ts';
import {
  readTransferFormData,
  transferFieldErrors,
  transferSchema,
} from '#lib/transfers/schema.ts';
import { submitTransfer } from '#lib/transfers/submit.ts';
import { UUID } from '#lib/values/uuid.ts';

const part = z.string().max(200).nullable().catch(null);
const digits = z.string().regex(/^\d{1,20}$/);
const payeeQuestion = z.object({
  kind: z.enum(TRANSFER_KINDS),
  toWallet: part,
  name: part,
  wallet: part,
});
const personQuestion = z.object({
  key: z.discriminatedUnion('by', [
    z.object({ by: z.literal('phone'), country: digits, phone: digits }),
    z.object({ by: z.literal('account'), account: digits }),
  ]),
  currency: z.string().regex(/^[A-Z]{3}$/),
});

export type SubmitAnswer = ActionProblem | { kind: 'findings'; findings: TransferFinding[] };

/**
 * Stores the transfer and opens its page; submitting the same form again opens the same page.
 * Nothing is sent here: the worker sends.
 */
export async function sendTransfer(form: FormData): Promise<SubmitAnswer> {
  return moneyAction(async (actor): Promise<SubmitAnswer> => {
    assertMay(actor, 'payout.prepare');
    const parsed = transferSchema.safeParse(readTransferFormData(form));
    if (!parsed.success)
      return {
        kind: 'fields',
        errors: Object.fromEntries(
          transferFieldErrors(parsed.error).map((error) => [error.field, error]),
        ),
      };
    const retryOf = form.get('retryOf');
    const result = await submitTransfer(actor, parsed.data, {
      locale: (await getLocale()) as Locale,
      retryOf: typeof retryOf === 'string' && UUID.test(retryOf) ? retryOf : null,
    });
    if (result.kind === 'findings') return result;
    // Replaces the form in the history: the back button leads to where the form was opened.
    redirect(`/transfers/${result.id}`, RedirectType.replace);
  });
}

/**
 * The wallet of this phone or account number, by a query to the provider. Submitting queries again.
 */
export async function lookUpPerson(
  asked: unknown,
): Promise<ActionProblem | { kind: 'asked'; person: PersonFound }> {
  return moneyAction(async (actor) => {
    assertMay(actor, 'payout.prepare');
    const question = personQuestion.safeParse(asked);
    return {
      kind: 'asked' as const,
      person: question.success
        ? await checkPerson(actor, question.data.key, question.data.currency)
        : ({ kind: 'unchecked' } as const),
    };
  });
}

/** The receiving wallet's history in our own records. */
export async function lookUpPayee(
  asked: unknown,
): Promise<ActionProblem | { kind: 'known'; facts: PayeeFacts }> {
  return moneyAction(async (actor) => ({
    kind: 'known' as const,
    facts: await payeeFacts(actor, payeeQuestion.parse(asked)),
  }));
}
