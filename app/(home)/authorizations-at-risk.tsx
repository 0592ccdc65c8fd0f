import { getLocale, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { seeReminder } from '#app/cards/authorizations/actions.ts';
import { ReminderWords } from '#app/cards/authorizations/reminder-words.tsx';
import { ActionButton } from '#components/action-button.tsx';
import { HOME_ROW } from '#components/ui/classes.ts';
import { Link } from '#components/ui/link.tsx';
import { Panel } from '#components/ui/panel.tsx';
import type { Reminders } from '#lib/cards/reminders/view.ts';
import type { Locale } from '#lib/values/locale.ts';
import { formatMoney } from '#lib/values/money.ts';

const SHOWN = 5;

/**
 * Authorizations that lapse soon, until they are captured, voided or acknowledged. Draws nothing
 * when there is none.
 */
export async function AuthorizationsAtRisk({
  rows,
  ageUnknown,
  now,
}: Reminders): Promise<ReactNode> {
  if (rows.length === 0 && ageUnknown === 0) return null;
  const t = await getTranslations('cardReminders');
  const locale = (await getLocale()) as Locale;
  return (
    <Panel
      title={t('title')}
      aside={
        <Link
          href="/cards/authorizations"
          className="text-label font-medium text-accent hover:underline"
        >
          {rows.length > SHOWN ? t('count', { count: rows.length }) : t('all')}
        </Link>
      }
    >
      <ul>
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
        {ageUnknown > 0 && (
          <li className="grid gap-0.5 border-t border-hairline px-4 py-2.5 first:border-0">
            <Link
              href="/cards/authorizations?bucket=age_unknown"
              data-row-link
              className="font-medium text-accent hover:underline"
            >
              {t('unknown', { count: ageUnknown })}
            </Link>
            <p className="text-label text-muted">{t('unknownText')}</p>
          </li>
        )}
      </ul>
    </Panel>
  );
}
