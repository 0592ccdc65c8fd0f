import { getLocale, getTimeZone, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { DayRange } from '#components/day-range.tsx';
import { ActiveFilters, SearchField, WalletField } from '#components/filter-fields.tsx';
import { FilterForm } from '#components/filter-form.tsx';
import { Button } from '#components/ui/button.tsx';
import { Field, Select } from '#components/ui/field.tsx';
import { formatDate } from '#lib/values/dates.ts';
import { addressOf } from '#lib/values/keyset.ts';
import type { Locale } from '#lib/values/locale.ts';
import { TOP_UP_VIEWS, topUpParams } from '#lib/money-in/filter.ts';
import type { TopUpFilter } from '#lib/money-in/filter.ts';
import type { WalletName } from '#lib/wallets/names.ts';

const PATH = '/money-in';

type Props = {
  filter: TopUpFilter;
  wallets: WalletName[];
  /** How many top-ups are announced but have no ledger entry yet. */
  announced: number;
};

/** The filter is in the address, so that a list can be bookmarked, shared and returned to. */
export async function TopUpFilters({ filter, wallets, announced }: Props): Promise<ReactNode> {
  const t = await getTranslations('moneyIn');
  const common = await getTranslations('common');
  const chips = await chipsOf(filter, wallets);
  return (
    <div className="grid gap-3">
      <FilterForm
        key={JSON.stringify(filter)}
        action={PATH}
        label={t('filter')}
        className="grid grid-cols-2 items-end gap-3 sm:flex sm:flex-wrap"
        fold={common('filters')}
      >
        <SearchField id="top-ups-q" label={t('search')} value={filter.text} />
        <WalletField
          id="top-ups-wallet"
          label={t('wallet')}
          all={t('allWallets')}
          value={filter.wallet}
          wallets={wallets}
        />
        <Field id="top-ups-view" label={t('view')}>
          <Select
            id="top-ups-view"
            name="view"
            defaultValue={filter.view === 'all' ? '' : filter.view}
          >
            {TOP_UP_VIEWS.map((view) => (
              <option key={view} value={view === 'all' ? '' : view}>
                {t(`views.${view}`)}
                {view === 'announced' && announced > 0 ? ` (${announced})` : ''}
              </option>
            ))}
          </Select>
        </Field>
        <DayRange id="top-ups" from={filter.from} to={filter.to} />
        <Button type="submit" className="max-sm:col-span-2">
          {common('apply')}
        </Button>
      </FilterForm>
      <ActiveFilters
        chips={chips.map(({ text, without }) => ({
          text,
          href: `${PATH}${addressOf(topUpParams({ ...filter, ...without }))}`,
        }))}
      />
    </div>
  );
}

async function chipsOf(
  filter: TopUpFilter,
  wallets: WalletName[],
): Promise<{ text: string; without: Partial<TopUpFilter> }[]> {
  const t = await getTranslations('moneyIn.chips');
  const views = await getTranslations('moneyIn.views');
  const locale = (await getLocale()) as Locale;
  const zone = await getTimeZone();
  const day = (text: string): string => formatDate(text, locale, { zone });
  return [
    ...(filter.text === ''
      ? []
      : [{ text: t('text', { text: filter.text }), without: { text: '' } }]),
    ...(filter.wallet === null
      ? []
      : [
          {
            text: t('wallet', {
              wallet: wallets.find((one) => one.number === filter.wallet)?.name ?? filter.wallet,
            }),
            without: { wallet: null },
          },
        ]),
    ...(filter.view === 'all'
      ? []
      : [{ text: t('view', { view: views(filter.view) }), without: { view: 'all' as const } }]),
    ...(filter.from === null
      ? []
      : [{ text: t('from', { day: day(filter.from) }), without: { from: null } }]),
    ...(filter.to === null
      ? []
      : [{ text: t('to', { day: day(filter.to) }), without: { to: null } }]),
  ];
}
