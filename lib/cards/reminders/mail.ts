import 'server-only';
import { createTranslator } from 'use-intl/core';
import { captureEndsAt } from '../payments/authorization.ts';
import { formatMoment } from '#lib/values/dates.ts';
import { LOCALES } from '#lib/values/locale.ts';
import type { Locale } from '#lib/values/locale.ts';
import { formatMoney } from '#lib/values/money.ts';
import en from '../../../messages/en/card-reminders.json' with { type: 'json' };
import tr from '../../../messages/tr/card-reminders.json' with { type: 'json' };

const WORDS = { tr: tr.mail, en: en.mail };

/**
 * The content of a mail about an authorization: its order number, the amount and the end, and
 * nothing about the card or the customer.
 */
export type MailedHold = {
  invoiceId: string;
  amount: string | null;
  currency: string;
  /** When the authorization was made, in milliseconds. */ heldSince: number;
};

/**
 * The mail in both languages, Turkish first: the worker does not know the language of the
 * recipients.
 */
export function reminderMail(
  holds: readonly MailedHold[],
  { address, zone }: { address: string; zone: string },
): { subject: string; text: string } {
  const nearest = new Date(
    Math.min(...holds.map((hold) => captureEndsAt(hold.heldSince))),
  ).toISOString();
  const parts = LOCALES.map((locale) => {
    const t = wordsOf(locale);
    const lines = holds.map((hold) =>
      t('line', {
        invoice: hold.invoiceId,
        amount: hold.amount === null ? '–' : formatMoney(hold.amount, hold.currency, locale),
        moment: formatMoment(new Date(captureEndsAt(hold.heldSince)).toISOString(), locale, zone),
      }),
    );
    return [t('intro', { count: holds.length }), '', ...lines, '', t('outro'), address].join('\n');
  });
  return {
    subject: wordsOf('tr')('subject', {
      count: holds.length,
      moment: formatMoment(nearest, 'tr', zone),
    }),
    text: `${parts.join('\n\n———\n\n')}\n`,
  };
}

function wordsOf(locale: Locale): ReturnType<typeof createTranslator<typeof tr.mail>> {
  return createTranslator({ locale, messages: WORDS[locale] });
}
