import { getLocale, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { DayRange } from '#components/day-range.tsx';
import { FilterForm } from '#components/filter-form.tsx';
import { Button } from '#components/ui/button.tsx';
import { Field, Select, TextInput } from '#components/ui/field.tsx';
import { Link } from '#components/ui/link.tsx';
import { Chip } from '#components/ui/table.tsx';
import { addressOf } from '#lib/values/keyset.ts';
import type { Locale } from '#lib/values/locale.ts';
import { formatAmount } from '#lib/values/money.ts';
import { LEVELS, withdrawalParams } from '#lib/reports/withdrawals/filter.ts';
import type { WithdrawalFilter } from '#lib/reports/withdrawals/filter.ts';
import type { WalletName } from '#lib/wallets/names.ts';
import { withdrawalChips } from './chips.ts';
import { PATH } from './path.ts';

/** The filter is in the address. Active filters stand below as sentences, each removable. */
export async function WithdrawalFilters({
  filter,
  wallets,
}: {
  filter: WithdrawalFilter;
  wallets: WalletName[];
}): Promise<ReactNode> {
  const [t, common, locale] = [
    await getTranslations('withdrawals'),
    await getTranslations('common'),
    (await getLocale()) as Locale,
  ];
  const chips = withdrawalChips(filter, wallets, locale, t);
  const { sort, completed } = withdrawalParams(filter);
  const known = filter.wallet === null || wallets.some(({ number }) => number === filter.wallet);
  const amount = (name: 'min' | 'max'): ReactNode => (
    <div className="min-w-0 sm:w-32">
      <Field id={`wr-${name}`} label={t(`filter.${name}`)}>
        <TextInput
          id={`wr-${name}`}
          name={name}
          inputMode="decimal"
          maxLength={30}
          autoComplete="off"
          defaultValue={filter[name] === null ? '' : formatAmount(filter[name], locale)}
          className="text-right"
        />
      </Field>
    </div>
  );
  return (
    <div className="grid gap-3">
      <FilterForm
        key={JSON.stringify(withdrawalParams(filter))}
        action={PATH}
        label={t('filter.label')}
        className="grid grid-cols-2 items-end gap-3 sm:flex sm:flex-wrap"
      >
        {sort !== null && <input type="hidden" name="sort" value={sort ?? ''} />}
        <div className="col-span-2 min-w-0 sm:w-72">
          <Field id="wr-text" label={t('filter.text')}>
            <TextInput
              id="wr-text"
              name="q"
              type="search"
              defaultValue={filter.text}
              maxLength={100}
              placeholder={t('filter.textHint')}
              data-shortcut="filter"
              enterKeyHint="search"
              autoComplete="off"
            />
          </Field>
        </div>
        <DayRange id="wr" from={filter.from} to={filter.to} />
        <div className="col-span-2 min-w-0 sm:w-48">
          <Field id="wr-wallet" label={t('filter.wallet')}>
            <Select id="wr-wallet" name="wallet" defaultValue={filter.wallet ?? ''}>
              <option value="">{t('filter.allWallets')}</option>
              {!known && <option value={filter.wallet ?? ''}>{filter.wallet}</option>}
              {wallets.map((wallet) => (
                <option key={wallet.number} value={wallet.number}>
                  {wallet.name} · {wallet.currency}
                </option>
              ))}
            </Select>
          </Field>
        </div>
        <div className="min-w-0 sm:w-40">
          <Field id="wr-level" label={t('filter.level')}>
            <Select id="wr-level" name="level" defaultValue={filter.level ?? ''}>
              <option value="">{common('all')}</option>
              {LEVELS.map((level) => (
                <option key={level} value={level}>
                  {t(`levels.${level}`)}
                </option>
              ))}
            </Select>
          </Field>
        </div>
        <div className="min-w-0 sm:w-40">
          <Field id="wr-completed" label={t('filter.completed')}>
            <Select id="wr-completed" name="completed" defaultValue={completed ?? ''}>
              <option value="">{common('all')}</option>
              <option value="yes">{t('filter.completedYes')}</option>
              <option value="no">{t('filter.completedNo')}</option>
            </Select>
          </Field>
        </div>
        {amount('min')}
        {amount('max')}
        <Button type="submit" className="max-sm:col-span-2">
          {common('apply')}
        </Button>
      </FilterForm>
      <div className="flex min-h-7 flex-wrap items-center gap-2">
        <span className="text-label text-muted">{chips.days}</span>
        {chips.list.map((chip) => (
          <Chip
            key={chip.text}
            href={`${PATH}${addressOf(withdrawalParams({ ...filter, ...chip.without }))}`}
            remove={common('removeFilter', { filter: chip.text })}
          >
            {chip.text}
          </Chip>
        ))}
        {chips.list.length > 1 && (
          <Link
            href={`${PATH}${addressOf({ from: filter.from, to: filter.to })}`}
            scroll={false}
            className="text-label font-medium text-accent hover:underline"
          >
            {common('clearFilters')}
          </Link>
        )}
      </div>
    </div>
  );
}
