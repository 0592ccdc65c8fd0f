import { getLocale, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { ReasonForm } from '#components/reason-form.tsx';
import { Field, Select } from '#components/ui/field.tsx';
import { Panel } from '#components/ui/panel.tsx';
import { formatDate } from '#lib/values/dates.ts';
import type { MonthView } from '#lib/reports/day-close/view.ts';
import type { Locale } from '#lib/values/locale.ts';
import { closeWalletDays } from './actions.ts';

/** Closing cannot be undone; its effect is stated above the button. */
export async function CloseForm({ view }: { view: MonthView }): Promise<ReactNode> {
  const t = await getTranslations('dayClose.closing');
  const locale = (await getLocale()) as Locale;
  const newest = view.closable.toReversed();
  return (
    <Panel title={t('title')}>
      <div className="grid gap-3 px-4 py-3">
        {newest.length === 0 ? (
          <p className="text-muted">{t('nothing')}</p>
        ) : (
          <>
            <p className="max-w-prose text-muted">
              {view.begun ? t('text') : `${t('first')} ${t('text')}`}
            </p>
            <ReasonForm
              key={newest[0]}
              action={closeWalletDays}
              fields={{ wallet: view.wallet.wallet }}
              label={t('note')}
              hint={t('noteHint')}
              button={t(view.begun ? 'submit' : 'submitFirst')}
            >
              <Field id="day-close-through" label={t(view.begun ? 'through' : 'firstDay')}>
                <Select id="day-close-through" name="through" defaultValue={newest[0]}>
                  {newest.map((day) => (
                    <option key={day} value={day}>
                      {formatDate(day, locale)}
                    </option>
                  ))}
                </Select>
              </Field>
            </ReasonForm>
          </>
        )}
      </div>
    </Panel>
  );
}
