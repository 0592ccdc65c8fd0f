import { getLocale, getTranslations } from 'next-intl/server';
import { Suspense } from 'react';
import type { ReactNode } from 'react';
import { FilterForm } from '#components/filter-form.tsx';
import { Button } from '#components/ui/button.tsx';
import { TextInput } from '#components/ui/field.tsx';
import { Skeleton } from '#components/ui/panel.tsx';
import { Pager } from '#components/ui/table.tsx';
import { addressOf } from '#lib/values/keyset.ts';
import type { Place } from '#lib/values/keyset.ts';
import type { Locale } from '#lib/values/locale.ts';
import { formatMoney } from '#lib/values/money.ts';
import { transactionParams } from '#lib/reports/transactions/filter.ts';
import type { TransactionFilter } from '#lib/reports/transactions/filter.ts';
import { PAGE_ROWS } from '#lib/reports/transactions/list.ts';
import type { TransactionPage, TransactionTotal } from '#lib/reports/transactions/list.ts';
import { PATH } from './path.ts';

type Props = {
  page: TransactionPage;
  filter: TransactionFilter;
  sums: Promise<TransactionTotal[]>;
};

/** Sums of the filter, and the pager. The rows do not wait for the sums, which scan every entry. */
export async function Footer({ page, filter, sums }: Props): Promise<ReactNode> {
  const common = await getTranslations('common');
  const params = transactionParams(filter);
  const to = (place: Place | null, number: number): string | null =>
    place && `${PATH}${addressOf({ ...params, page: number > 1 ? String(number) : null }, place)}`;
  return (
    <Pager
      label={common('pages')}
      previous={to(page.newer, page.page - 1)}
      next={to(page.older, page.page + 1)}
      words={{ previous: common('previous'), next: common('next') }}
    >
      <Suspense fallback={<Skeleton className="h-10 w-64" />}>
        <Sums page={page} filter={filter} sums={sums} />
      </Suspense>
    </Pager>
  );
}

async function Sums({ page, filter, sums }: Props): Promise<ReactNode> {
  const t = await getTranslations('transactions');
  const locale = (await getLocale()) as Locale;
  const totals = await sums;
  const pages = Math.max(
    1,
    Math.ceil(totals.reduce((all, { count }) => all + count, 0) / PAGE_ROWS),
  );
  return (
    <div className="grid gap-1.5 tabular-nums">
      {totals.length === 0 && <p>{t('count', { count: 0 })}</p>}
      {totals.map((total) => {
        const money = (amount: string): string => formatMoney(amount, total.currency, locale);
        return (
          <p key={total.currency} className="flex flex-wrap gap-x-3 gap-y-0.5">
            <span>{t('count', { count: total.count })}</span>
            <span>
              {t('sums.in')} <b className="font-semibold text-ink">{money(total.in)}</b>
            </span>
            <span>
              {t('sums.out')} <b className="font-semibold text-ink">{money(total.out)}</b>
            </span>
            {total.own !== '0.00' && (
              <span>
                {t('sums.own')} <b className="font-semibold text-ink">{money(total.own)}</b>
              </span>
            )}
            <span>
              {t('sums.fees')} <b className="font-semibold text-ink">{money(total.fees)}</b>
            </span>
          </p>
        );
      })}
      {pages > 1 && (
        <FilterForm
          key={page.page}
          action={PATH}
          label={t('goTo')}
          className="flex items-center gap-2"
        >
          {Object.entries(transactionParams(filter)).map(
            ([name, value]) =>
              value && <input key={name} type="hidden" name={name} value={value} />,
          )}
          <label htmlFor="page">{t('page')}</label>
          <span className="w-20">
            <TextInput
              id="page"
              name="page"
              inputMode="numeric"
              pattern="[0-9]*"
              maxLength={7}
              defaultValue={page.page}
              className="text-right"
            />
          </span>
          <span>/ {t('pages', { count: pages })}</span>
          <Button type="submit">{t('go')}</Button>
        </FilterForm>
      )}
    </div>
  );
}
