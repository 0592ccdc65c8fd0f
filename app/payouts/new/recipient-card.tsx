'use client';

import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { wordOf } from '#components/state-words.ts';
import { draftHistory } from '#lib/payouts/draft.ts';
import { useFormWords } from '#app/movements/form/form-words.ts';
import type { PayoutFormState } from './use-payout-form.ts';

/** This IBAN's history in our own payouts. Its space is reserved while nothing is known. */
export function RecipientCard({ form }: { form: PayoutFormState }): ReactNode {
  const t = useTranslations('newPayout');
  const states = useTranslations('states');
  const { money, day, moment, locale } = useFormWords();
  const { answer, state } = form.recipient;
  const history = draftHistory(form.read, answer, form.wallet?.currency ?? null);
  const currency = form.wallet?.currency ?? 'TRY';
  if (form.read.content.iban === undefined) return null;
  const { last } = history ?? { last: null };
  return (
    <div className="min-h-14 rounded-control bg-raised px-3 py-2 text-label">
      <p className="mr-2 leading-5 font-medium text-muted @xl:float-left">{t('card.title')}</p>
      {history === null && (
        <p className="text-body text-muted">
          {state === 'missing' ? t('summary.historyMissing') : t('summary.lookingUp')}
        </p>
      )}
      {history !== null && last === null && <p className="text-body">{t('card.first')}</p>}
      {history !== null && last !== null && (
        <p className="flex flex-wrap gap-x-2 text-body tabular-nums">
          <span>
            {history.firstAt === null
              ? t('card.none')
              : t('card.paid', { count: history.count, since: day(history.firstAt) })}
          </span>
          {history.usual !== null && (
            <span>
              ·{' '}
              {t('card.usual', {
                low: money(history.usual.low, currency),
                high: money(history.usual.high, currency),
              })}
            </span>
          )}
          <span>
            ·{' '}
            {t('card.last', {
              amount: money(last.amountMinor, last.currency),
              at: moment(last.createdAt),
              state: states(wordOf(last)).toLocaleLowerCase(locale),
            })}
          </span>
          <span>· {t('card.returns', { count: history.returns })}</span>
        </p>
      )}
    </div>
  );
}
