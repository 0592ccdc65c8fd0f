import { getLocale, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { Pager } from '#components/ui/table.tsx';
import { addressOf } from '#lib/keyset.ts';
import type { Place } from '#lib/keyset.ts';
import type { Locale } from '#lib/locale.ts';
import { formatMoney } from '#lib/money.ts';
import { withdrawalParams } from '#lib/reports/withdrawals/filter.ts';
import type { WithdrawalFilter } from '#lib/reports/withdrawals/filter.ts';
import type { WithdrawalPage } from '#lib/reports/withdrawals/list.ts';
import { PATH } from './path.ts';

/** Count and sums of the filter, a line for each currency, and the way through its pages. */
export async function WithdrawalTotals({ page, filter }: { page: WithdrawalPage; filter: WithdrawalFilter }): Promise<ReactNode> {
  const [t, common, locale] = [await getTranslations('withdrawals'), await getTranslations('common'), (await getLocale()) as Locale];
  const to = (place: Place | null): string | null => place && `${PATH}${addressOf(withdrawalParams(filter), place)}`;
  const currencies = [...new Set(page.totals.map((total) => total.currency))];
  return (
    <Pager label={common('pages')} previous={to(page.newer)} next={to(page.older)} words={{ previous: common('previous'), next: common('next') }}>
      <div className="grid gap-1 tabular-nums">
        <p>{t('count', { count: page.count })}</p>
        {currencies.map((currency) => (
          <p key={currency} className="flex flex-wrap gap-x-3 gap-y-0.5">
            {page.totals.filter((total) => total.currency === currency).map((total) => (
              <span key={total.level}>{t(`levels.${total.level}`)} ({total.count}) <b className="font-semibold text-ink">{formatMoney(total.sum, currency, locale)}</b></span>
            ))}
          </p>
        ))}
      </div>
    </Pager>
  );
}
