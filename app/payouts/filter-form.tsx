import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { DayRange } from '#components/day-range.tsx';
import { FilterForm } from '#components/filter-form.tsx';
import { Button } from '#components/ui/button.tsx';
import { Field, Select, TextInput } from '#components/ui/field.tsx';
import { offersCashout } from '#lib/payouts/card-balance/offered.ts';
import type { PayoutFilter } from '#lib/payouts/filter.ts';
import { CARD_BALANCE } from '#lib/payouts/schema.ts';
import type { WalletName } from '#lib/wallets/names.ts';

/** The filter is in the address, so that a list can be bookmarked, shared and returned to. */
export async function PayoutFilterForm({
  filter,
  wallets,
}: {
  filter: PayoutFilter;
  wallets: WalletName[];
}): Promise<ReactNode> {
  const t = await getTranslations('payouts.filter');
  const sort = `${filter.order === 'descending' ? '-' : ''}${filter.sort}`;
  const known =
    wallets.some((wallet) => wallet.number === filter.wallet) ||
    filter.wallet === null ||
    filter.wallet === CARD_BALANCE;
  const card = offersCashout() || filter.wallet === CARD_BALANCE;
  return (
    <FilterForm
      action="/payouts"
      label={t('label')}
      className="grid grid-cols-2 items-end gap-3 sm:flex sm:flex-wrap"
    >
      {filter.view !== 'all' && <input type="hidden" name="view" value={filter.view} />}
      {filter.recipient !== null && (
        <input type="hidden" name="recipient" value={filter.recipient} />
      )}
      {sort !== '-date' && <input type="hidden" name="sort" value={sort} />}
      <div className="col-span-2 min-w-0 sm:w-72">
        <Field id="filter-text" label={t('text')}>
          <TextInput
            id="filter-text"
            name="q"
            type="search"
            defaultValue={filter.text}
            maxLength={100}
            placeholder={t('textHint')}
            data-shortcut="filter"
            enterKeyHint="search"
            autoComplete="off"
          />
        </Field>
      </div>
      <div className="col-span-2 min-w-0 sm:w-48">
        <Field id="filter-wallet" label={t('wallet')}>
          <Select id="filter-wallet" name="wallet" defaultValue={filter.wallet ?? ''}>
            <option value="">{t('allWallets')}</option>
            {card && <option value={CARD_BALANCE}>{t('cards')}</option>}
            {!known && <option value={filter.wallet ?? ''}>{filter.wallet}</option>}
            {wallets.map((wallet) => (
              <option key={wallet.number} value={wallet.number}>
                {wallet.name} · {wallet.currency}
              </option>
            ))}
          </Select>
        </Field>
      </div>
      <DayRange id="filter" from={filter.from} to={filter.to} />
      <Button type="submit" className="max-sm:col-span-2">
        {t('apply')}
      </Button>
    </FilterForm>
  );
}
