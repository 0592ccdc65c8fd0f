import { getLocale, getTranslations } from 'next-intl/server';
import { Suspense } from 'react';
import type { ReactNode } from 'react';
import { Skeleton } from '#components/ui/panel.tsx';
import { Pager } from '#components/ui/table.tsx';
import { addressOf } from '#lib/values/keyset.ts';
import type { Place } from '#lib/values/keyset.ts';
import type { Locale } from '#lib/values/locale.ts';
import { formatMoney } from '#lib/values/money.ts';
import { withdrawalParams } from '#lib/reports/withdrawals/filter.ts';
import type { WithdrawalFilter } from '#lib/reports/withdrawals/filter.ts';
import type { WithdrawalPage, WithdrawalTotal } from '#lib/reports/withdrawals/list.ts';
import { PATH } from './path.ts';

/** The pager, and count and sums of the filter, for which the rows do not wait. */
export async function WithdrawalTotals({
  page,
  filter,
  sums,
}: {
  page: WithdrawalPage;
  filter: WithdrawalFilter;
  sums: Promise<WithdrawalTotal[]>;
}): Promise<ReactNode> {
  const common = await getTranslations('common');
  const to = (place: Place | null): string | null =>
    place && `${PATH}${addressOf(withdrawalParams(filter), place)}`;
  return (
    <Pager
      label={common('pages')}
      previous={to(page.newer)}
      next={to(page.older)}
      words={{ previous: common('previous'), next: common('next') }}
    >
      <Suspense fallback={<Skeleton className="h-10 w-64" />}>
        <Sums sums={sums} />
      </Suspense>
    </Pager>
  );
}

async function Sums({ sums }: { sums: Promise<WithdrawalTotal[]> }): Promise<ReactNode> {
  const [t, locale, totals] = [
    await getTranslations('withdrawals'),
    (await getLocale()) as Locale,
    await sums,
  ];
  const currencies = [...new Set(totals.map((total) => total.currency))];
  return (
    <div className="grid gap-1 tabular-nums">
      <p>{t('count', { count: totals.reduce((all, total) => all + total.count, 0) })}</p>
      {currencies.map((currency) => (
        <p key={currency} className="flex flex-wrap gap-x-3 gap-y-0.5">
          {totals
            .filter((total) => total.currency === currency)
            .map((total) => (
              <span key={total.level}>
                {t(`levels.${total.level}`)} ({total.count}){' '}
                <b className="font-semibold text-ink">{formatMoney(total.sum, currency, locale)}</b>
              </span>
            ))}
        </p>
      ))}
    </div>
  );
}
