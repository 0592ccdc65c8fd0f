import { getLocale, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { DayRange } from '#components/day-range.tsx';
import {
  ActiveFilters,
  AmountField,
  SearchField,
  WalletField,
} from '#components/filter-fields.tsx';
import { FilterForm } from '#components/filter-form.tsx';
import { Button } from '#components/ui/button.tsx';
import { addressOf } from '#lib/values/keyset.ts';
import type { Locale } from '#lib/values/locale.ts';
import type { ReportFilter } from '#lib/reports/filter.ts';
import type { WalletName } from '#lib/wallets/names.ts';
import type { ReportChips } from './report-chips.ts';

/**
 * The filter of a report over a listing of the provider, in the address. Active filters stand below
 * as sentences, each removable. `id` begins the fields' ids; `children`: the report's own fields.
 */
export async function ReportFilters<F extends ReportFilter>({
  id,
  path,
  label,
  hint,
  filter,
  params,
  wallets,
  chips,
  children,
}: {
  id: string;
  path: string;
  label: string;
  hint: string;
  filter: F;
  params: (filter: F) => Record<string, string | null>;
  wallets: readonly WalletName[];
  chips: ReportChips<F>;
  children: ReactNode;
}): Promise<ReactNode> {
  const t = await getTranslations('reports.filter');
  const common = await getTranslations('common');
  const { sort } = params(filter);
  return (
    <div className="grid gap-3">
      <FilterForm
        key={JSON.stringify(params(filter))}
        action={path}
        label={label}
        className="grid grid-cols-2 items-end gap-3 sm:flex sm:flex-wrap"
        fold={common('filters')}
      >
        {sort && <input type="hidden" name="sort" value={sort} />}
        <SearchField id={`${id}-text`} label={t('text')} value={filter.text} hint={hint} />
        <DayRange id={id} from={filter.from} to={filter.to} bounded />
        <WalletField
          id={`${id}-wallet`}
          label={t('wallet')}
          all={t('allWallets')}
          value={filter.wallet}
          wallets={wallets}
        />
        {children}
        <AmountRange id={id} min={filter.min} max={filter.max} />
        <Button type="submit" className="max-sm:col-span-2">
          {common('apply')}
        </Button>
      </FilterForm>
      <ActiveFilters
        chips={chips.list.map(({ text, without }) => ({
          text,
          href: `${path}${addressOf(params({ ...filter, ...without }))}`,
        }))}
        clear={
          chips.list.length > 1 ? `${path}${addressOf({ from: filter.from, to: filter.to })}` : null
        }
      >
        <span className="text-label text-muted">{chips.days}</span>
      </ActiveFilters>
    </div>
  );
}

async function AmountRange({
  id,
  min,
  max,
}: {
  id: string;
  min: bigint | null;
  max: bigint | null;
}): Promise<ReactNode> {
  const t = await getTranslations('reports.filter');
  const locale = (await getLocale()) as Locale;
  return (
    <>
      <AmountField id={`${id}-min`} name="min" label={t('min')} value={min} locale={locale} />
      <AmountField id={`${id}-max`} name="max" label={t('max')} value={max} locale={locale} />
    </>
  );
}
