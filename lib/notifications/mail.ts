import 'server-only';
import { createTranslator } from 'use-intl/core';
import { formatMoment } from '#lib/values/dates.ts';
import { LOCALES } from '#lib/values/locale.ts';
import type { Locale } from '#lib/values/locale.ts';
import en from '../../messages/en/notifications.json' with { type: 'json' };
import tr from '../../messages/tr/notifications.json' with { type: 'json' };
import { notificationAddress } from './kinds.ts';
import type { Detail, NotificationKind } from './kinds.ts';
import { wordValues } from './words.ts';

const WORDS = { tr, en };

/** `at` in ISO. */
export type MailedNotification = {
  kind: NotificationKind;
  thing: string;
  detail: Detail;
  at: string;
};

/**
 * The mail to one person, in both languages, Turkish first: the worker does not know which one the
 * person reads. For each notification its title, its moment and the address of its thing. The names
 * of payees and accounts stay in the app.
 */
export function notificationMail(
  notifications: readonly MailedNotification[],
  { origin, zone }: { origin: string; zone: string },
): { subject: string; text: string } {
  const count = notifications.length;
  const parts = LOCALES.map((locale) => {
    const t = wordsOf(locale);
    const lines = notifications.flatMap(({ kind, thing, detail, at }) => [
      t(`kinds.${kind}.title`, wordValues(detail, locale)),
      formatMoment(at, locale, zone),
      `${origin}${notificationAddress(kind, { thing, detail })}`,
      '',
    ]);
    return [t('mail.intro', { count }), '', ...lines, t('mail.outro'), `${origin}/settings`].join(
      '\n',
    );
  });
  return {
    subject: wordsOf('tr')('mail.subject', { count }),
    text: `${parts.join('\n\n———\n\n')}\n`,
  };
}

function wordsOf(locale: Locale): ReturnType<typeof createTranslator<typeof tr>> {
  return createTranslator({ locale, messages: WORDS[locale] });
}
