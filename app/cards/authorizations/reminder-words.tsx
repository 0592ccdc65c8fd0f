import { getLocale, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { leftWords } from '#app/cards/remaining-words.ts';
import type { Reminder } from '#lib/cards/reminders/view.ts';
import { formatMoment } from '#lib/values/dates.ts';
import type { Locale } from '#lib/values/locale.ts';
import { workspace } from '#lib/runtime/workspace.ts';

/**
 * How long an authorization can still be captured here, and until when; after that, until when the
 * gateway's own panel can.
 */
export async function ReminderWords({
  reminder,
  now,
}: {
  reminder: Reminder;
  now: string;
}): Promise<ReactNode> {
  const t = await getTranslations('cardReminders');
  const locale = (await getLocale()) as Locale;
  const moment = (at: string): string => formatMoment(at, locale, workspace().timeZone);
  const left = Date.parse(reminder.captureEndsAt) - Date.parse(now);
  if (left <= 0)
    return (
      <>
        {t('over')} · {t('overText', { moment: moment(reminder.lapsesAt) })}
      </>
    );
  return (
    <>
      <span className="font-medium text-attention">
        {t('left', { left: await leftWords(left) })}
      </span>{' '}
      · {t('until', { moment: moment(reminder.captureEndsAt) })}
    </>
  );
}
