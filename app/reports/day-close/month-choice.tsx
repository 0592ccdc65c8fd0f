import { ChevronLeft, ChevronRight } from 'lucide-react';
import { getLocale, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { FilterForm } from '#components/filter-form.tsx';
import { Button } from '#components/ui/button.tsx';
import { Field, Select } from '#components/ui/field.tsx';
import { Link } from '#components/ui/link.tsx';
import { addDays, monthDays } from '#lib/values/dates.ts';
import { dayCloseParams } from '#lib/reports/day-close/filter.ts';
import type { DayCloseQuery } from '#lib/reports/day-close/filter.ts';
import { addressOf } from '#lib/values/keyset.ts';
import type { Locale } from '#lib/values/locale.ts';
import type { WalletName } from '#lib/wallets/names.ts';
import { monthText } from './amounts.ts';

const PATH = '/reports/day-close';

const MONTHS = 24;

/**
 * First days of the last two years' months, the newest first, and the shown month when it is older:
 * a browser's own field names months in the browser's language.
 */
function monthsUntil(today: string, shown: string): string[] {
  const months = [monthDays(today).from];
  while (months.length < MONTHS) months.push(monthDays(addDays(months.at(-1)!, -1)).from);
  return months.includes(shown) ? months : [...months, shown];
}

/** Choice of wallet and month; both are in the address. */
export async function MonthChoice({
  wallets,
  query,
  today,
}: {
  wallets: WalletName[];
  query: DayCloseQuery;
  today: string;
}): Promise<ReactNode> {
  const t = await getTranslations('dayClose');
  const locale = (await getLocale()) as Locale;
  const to = (day: string): string =>
    `${PATH}${addressOf(dayCloseParams({ ...query, month: monthDays(day).from, day: null }))}`;
  const { from, to: end } = monthDays(query.month);
  const look =
    'inline-flex min-h-8 items-center gap-1 rounded-control border border-hairline px-2.5 ' +
    'text-label font-medium hover:border-control pointer-coarse:min-h-11';
  return (
    <div className="no-print flex flex-wrap items-end justify-between gap-3">
      <FilterForm
        key={JSON.stringify(query)}
        action={PATH}
        label={t('filter')}
        className="flex flex-wrap items-end gap-3"
      >
        <Field id="day-close-wallet" label={t('wallet')}>
          <Select
            id="day-close-wallet"
            name="wallet"
            defaultValue={query.wallet ?? ''}
            data-shortcut="filter"
          >
            {wallets.map((one) => (
              <option key={one.number} value={one.number}>
                {one.name} · {one.currency}
              </option>
            ))}
          </Select>
        </Field>
        <Field id="day-close-month" label={t('month')}>
          <Select id="day-close-month" name="month" defaultValue={query.month.slice(0, 7)}>
            {monthsUntil(today, from).map((month) => (
              <option key={month} value={month.slice(0, 7)}>
                {monthText(month, locale)}
              </option>
            ))}
          </Select>
        </Field>
        <Button type="submit">{t('show')}</Button>
      </FilterForm>
      <nav aria-label={t('month')} className="no-print flex items-center gap-2">
        <Link href={to(addDays(from, -1))} className={look}>
          <ChevronLeft aria-hidden className="size-4" />
          <span className="sr-only">{t('previous')}: </span>
          {monthText(addDays(from, -1), locale)}
        </Link>
        {end < today && (
          <Link href={to(addDays(end, 1))} className={look}>
            <span className="sr-only">{t('next')}: </span>
            {monthText(addDays(end, 1), locale)}
            <ChevronRight aria-hidden className="size-4" />
          </Link>
        )}
      </nav>
    </div>
  );
}
