import { getLocale, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { seeReminder } from '#app/cards/authorizations/actions.ts';
import { ReminderWords } from '#app/cards/authorizations/reminder-words.tsx';
import { ActionButton } from '#components/action-button.tsx';
import { HOME_ROW } from '#components/ui/classes.ts';
import { Link } from '#components/ui/link.tsx';
import { stillOpen } from '#lib/cards/reminders/view.ts';
import type { Reminders } from '#lib/cards/reminders/view.ts';
import type { Locale } from '#lib/values/locale.ts';
import { formatMoney } from '#lib/values/money.ts';

const SHOWN = 5;

/**
 * Lines of the home page for authorizations that lapse soon, until they are captured, voided or
 * acknowledged, and one line with the number of authorizations of unknown age.
 */
export async function AuthorizationsAtRisk(reminders: Reminders): Promise<ReactNode> {
  const { ageUnknown, now } = reminders;
  const t = await getTranslations('cardReminders');
  // The others are counted in a line of their own: "can no longer be captured here".
  const rows = stillOpen(reminders);
  const locale = (await getLocale()) as Locale;
  return (
    <>
      {rows.slice(0, SHOWN).map((row) => (
        <li key={row.paymentId} className={HOME_ROW}>
          <div className="grid min-w-0 gap-0.5">
            <Link
              href={`/cards/payments/${row.paymentId}`}
              data-row-link
              className="truncate font-medium text-accent hover:underline"
            >
              {row.invoiceId}
            </Link>
            <p className="text-label text-muted">
              <ReminderWords reminder={row} now={now} />
            </p>
          </div>
          <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
            {row.amount !== null && (
              <span className="font-medium tabular-nums">
                {formatMoney(row.amount, row.currency, locale)}
              </span>
            )}
            <ActionButton
              action={seeReminder}
              fields={{ id: row.paymentId }}
              look="ghost"
              label={t('seenLabel', { invoice: row.invoiceId })}
            >
              {t('seen')}
            </ActionButton>
          </span>
        </li>
      ))}
      {rows.length > SHOWN && (
        <li className={HOME_ROW}>
          <Link
            href="/cards/authorizations?ending=1"
            className="text-label font-medium text-accent hover:underline"
          >
            {t('count', { count: rows.length })}
          </Link>
        </li>
      )}
      {ageUnknown > 0 && (
        <li className={HOME_ROW}>
          <div className="grid min-w-0 gap-0.5">
            <Link
              href="/cards/authorizations?bucket=age_unknown"
              data-row-link
              className="font-medium text-accent hover:underline"
            >
              {t('unknown', { count: ageUnknown })}
            </Link>
            <p className="text-label text-muted">{t('unknownText')}</p>
          </div>
        </li>
      )}
    </>
  );
}
