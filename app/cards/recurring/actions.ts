'use server';

import { revalidatePath } from 'next/cache';
import { getLocale, getTranslations } from 'next-intl/server';
import { missingOfWord, messageOf } from '#app/action-message.ts';
import type { ActionMessage } from '#components/action-button.tsx';
import { moneyAction } from '#lib/login/action.ts';
import type { ActionProblem } from '#lib/login/action-state.ts';
import type { Person } from '#lib/access/actor.ts';
import type { Locale } from '#lib/values/locale.ts';
import { formatAmount, formatMoney, readDecimal } from '#lib/values/money.ts';
import { acknowledgeContradiction } from '#lib/cards/recurring/acknowledge.ts';
import { addPlans } from '#lib/cards/recurring/add.ts';
import { askAboutPlan } from '#lib/cards/recurring/check-now.ts';
import { CHARGE_CLAIMS } from '#lib/cards/recurring/charge-closing.ts';
import { closePlanCharge } from '#lib/cards/recurring/close-charge.ts';
import type { ChargeClosed } from '#lib/cards/recurring/close-charge.ts';
import { changePlan } from '#lib/cards/recurring/change.ts';
import type { Changed } from '#lib/cards/recurring/change.ts';
import { seePlanProblem } from '#lib/cards/recurring/see-problem.ts';
import { startPlanCharge } from '#lib/cards/recurring/start-charge.ts';
import { PAYMENTS_MAX, PAYMENTS_MIN, readTerms } from '#lib/cards/recurring/terms.ts';
import type { Terms } from '#lib/cards/recurring/terms.ts';
import { Refusal } from '#lib/access/refusal.ts';

const EXAMPLE_MINOR = 12_345_67n;

/** Adds plan codes to the list; the worker reads their records. */
export async function addPlanCodes(_before: ActionMessage, form: FormData): Promise<ActionMessage> {
  const done = await moneyAction((actor) => addPlans(actor, text(form, 'orders')));
  if (!('added' in done)) return messageOf(done);
  revalidatePath('/cards/recurring');
  return { ok: true, text: (await getTranslations('recurring'))('add.done', done) };
}

export async function askAboutOnePlan(
  _before: ActionMessage,
  form: FormData,
): Promise<ActionMessage> {
  return carryOut('asked', (actor) => askAboutPlan(actor, text(form, 'plan')));
}

/** Requests the charge that the dialog showed; the worker sends it, once. */
export async function chargePlanNow(
  _before: ActionMessage,
  form: FormData,
): Promise<ActionMessage> {
  return carryOut('charge.done', async (actor) => {
    const amountMinor = readDecimal(text(form, 'amount'));
    const number = text(form, 'number');
    const taken = text(form, 'taken');
    if (amountMinor === null || !/^\d{0,9}$/.test(number) || !/^\d{1,9}$/.test(taken))
      throw new Refusal('not_found');
    await startPlanCharge(actor, {
      id: text(form, 'id'),
      planId: text(form, 'plan'),
      number: number === '' ? null : Number(number),
      amountMinor,
      taken: Number(taken),
    });
  });
}

/**
 * A person's statement on a charge that the plan's record does not list; an empty claim withdraws
 * an earlier statement.
 */
export async function submitChargeStatement(
  _before: ActionMessage,
  form: FormData,
): Promise<ActionMessage> {
  const missing = await missingOfWord(form);
  if (missing !== null) return missing;
  const done = await moneyAction(async (actor) => {
    const claim =
      text(form, 'claim') === '' ? null : CHARGE_CLAIMS.find((one) => one === text(form, 'claim'));
    if (claim === undefined) throw new Refusal('not_found');
    return closePlanCharge(actor, {
      id: text(form, 'id'),
      claim,
      reason: text(form, 'reason'),
      reference: text(form, 'reference'),
    });
  });
  if (!isClosed(done)) return messageOf(done);
  revalidatePath('/cards/recurring/[id]', 'page');
  return { ok: true, text: (await getTranslations('secondPerson.result'))(done.kind) };
}

function isClosed(done: ChargeClosed | ActionProblem): done is ChargeClosed {
  return ['closed', 'asked', 'contradicted', 'taken_back'].includes(done.kind);
}

/** A person acknowledges a charge that the plan's record contradicts. */
export async function seeContradiction(
  _before: ActionMessage,
  form: FormData,
): Promise<ActionMessage> {
  return carryOut('contradicted.done', (actor) =>
    acknowledgeContradiction(actor, { planId: text(form, 'plan'), reason: text(form, 'reason') }),
  );
}

/** A person has looked into a plan whose code the gateway does not know. */
export async function seeUnknownCode(
  _before: ActionMessage,
  form: FormData,
): Promise<ActionMessage> {
  return carryOut('seen.done', (actor) =>
    seePlanProblem(actor, { planId: text(form, 'plan'), reason: text(form, 'reason') }),
  );
}

/** Pauses or resumes a plan. */
export async function switchPlan(_before: ActionMessage, form: FormData): Promise<ActionMessage> {
  return change(form, { status: text(form, 'status') === 'active' ? 'active' : 'inactive' });
}

/** Amount and number of the future charges. */
export async function changeTerms(_before: ActionMessage, form: FormData): Promise<ActionMessage> {
  const locale = (await getLocale()) as Locale;
  const read = readTerms(
    { amount: text(form, 'amount'), payments: text(form, 'payments') },
    { amount: text(form, 'amountBefore'), payments: text(form, 'paymentsBefore') },
    text(form, 'currency'),
    locale,
  );
  if (read.kind === 'change') return change(form, read.change);
  return {
    ok: false,
    text: (await getTranslations('recurring.errors'))(read.code, {
      example: formatAmount(EXAMPLE_MINOR, locale),
      min: PAYMENTS_MIN,
      max: PAYMENTS_MAX,
    }),
  };
}

async function change(
  form: FormData,
  change: Terms & { status?: 'active' | 'inactive' },
): Promise<ActionMessage> {
  const changed = await moneyAction((actor) => changePlan(actor, text(form, 'plan'), change));
  if (!('now' in changed)) return messageOf(changed);
  revalidatePath('/cards/recurring', 'layout');
  return { ok: changed.kind === 'done', text: await wordsOf(changed) };
}

/**
 * The result, then the plan's present state: after an unclear answer only the present state is
 * certain.
 */
async function wordsOf(changed: Changed): Promise<string> {
  const t = await getTranslations('recurring');
  const locale = (await getLocale()) as Locale;
  const { now } = changed;
  const first = t(`changed.${changed.kind}`, {
    code: changed.kind === 'refused' ? changed.code : '',
  });
  const second =
    now === null
      ? t('changed.nowUnread')
      : t('changed.now', {
          status: t(`states.${now.status}`),
          amount: formatMoney(now.amount, now.currency, locale),
          payments: now.payments ?? 'none',
        });
  return `${first} ${second}`;
}

async function carryOut(
  words: 'asked' | 'charge.done' | 'contradicted.done' | 'seen.done',
  verb: (actor: Person) => Promise<void>,
): Promise<ActionMessage> {
  const done = await moneyAction(async (actor) => {
    await verb(actor);
    return 'done' as const;
  });
  if (done !== 'done') return messageOf(done);
  revalidatePath('/cards/recurring', 'layout');
  return { ok: true, text: (await getTranslations('recurring'))(words) };
}

function text(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value : '';
}
