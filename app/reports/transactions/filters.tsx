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
import {
  DIRECTIONS,
  STATUSES,
  TRANSACTION_TYPES,
  transactionParams,
} from '#lib/reports/transactions/filter.ts';
import type { TransactionFilter } from '#lib/reports/transactions/filter.ts';
import type { WalletName } from '#lib/wallets/names.ts';
import { transactionChips } from './chips.ts';
import { PATH } from './path.ts';

/** The filter is in the address. Active filters stand below as sentences, each removable. */
export async function TransactionFilters({
  filter,
  wallets,
}: {
  filter: TransactionFilter;
  wallets: WalletName[];
}): Promise<ReactNode> {
  const [t, common, locale] = [
    await getTranslations('transactions'),
    await getTranslations('common'),
    (await getLocale()) as Locale,
  ];
  const chips = transactionChips(filter, wallets, locale, t);
  const { sort } = transactionParams(filter);
  const known = filter.wallet === null || wallets.some(({ number }) => number === filter.wallet);
  const choice = (name: 'type' | 'direction' | 'status', values: readonly string[]): ReactNode => (
    <div className="min-w-0 sm:w-40">
      <Field id={`tx-${name}`} label={t(`filter.${name}`)}>
        <Select id={`tx-${name}`} name={name} defaultValue={filter[name] ?? ''}>
          <option value="">{common('all')}</option>
          {values.map((value) => (
            <option key={value} value={value}>
              {t(`${WORDS[name]}.${value}` as 'types.payout')}
            </option>
          ))}
        </Select>
      </Field>
    </div>
  );
  return (
    <div className="grid gap-3">
      <FilterForm
        key={JSON.stringify(transactionParams(filter))}
        action={PATH}
        label={t('filter.label')}
        className="grid grid-cols-2 items-end gap-3 sm:flex sm:flex-wrap"
      >
        {sort !== null && <input type="hidden" name="sort" value={sort} />}
        <div className="col-span-2 min-w-0 sm:w-72">
          <Field id="tx-text" label={t('filter.text')}>
            <TextInput
              id="tx-text"
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
        <DayRange id="tx" from={filter.from} to={filter.to} />
        <div className="col-span-2 min-w-0 sm:w-48">
          <Field id="tx-wallet" label={t('filter.wallet')}>
            <Select id="tx-wallet" name="wallet" defaultValue={filter.wallet ?? ''}>
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
        {choice('type', TRANSACTION_TYPES)}
        {choice('direction', DIRECTIONS)}
        {choice('status', STATUSES)}
        <div className="min-w-0 sm:w-32">
          <Field id="tx-min" label={t('filter.min')}>
            <TextInput
              id="tx-min"
              name="min"
              inputMode="decimal"
              maxLength={30}
              autoComplete="off"
              defaultValue={filter.min === null ? '' : formatAmount(filter.min, locale)}
              className="text-right"
            />
          </Field>
        </div>
        <div className="min-w-0 sm:w-32">
          <Field id="tx-max" label={t('filter.max')}>
            <TextInput
              id="tx-max"
              name="max"
              inputMode="decimal"
              maxLength={30}
              autoComplete="off"
              defaultValue={filter.max === null ? '' : formatAmount(filter.max, locale)}
              className="text-right"
            />
          </Field>
        </div>
        <Button type="submit" className="max-sm:col-span-1">
          {common('apply')}
        </Button>
      </FilterForm>
      <div className="flex min-h-7 flex-wrap items-center gap-2">
        <span className="text-label text-muted">{chips.days}</span>
        {chips.list.map((chip) => (
          <Chip
            key={chip.text}
            href={`${PATH}${addressOf(transactionParams({ ...filter, ...chip.without }))}`}
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

const WORDS = { type: 'types', direction: 'directions', status: 'statuses' } as const;
