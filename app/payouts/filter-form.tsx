import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { DayRange } from '#components/day-range.tsx';
import { SearchField, WalletField } from '#components/filter-fields.tsx';
import { FilterForm } from '#components/filter-form.tsx';
import { Button } from '#components/ui/button.tsx';
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
  const card = offersCashout() || filter.wallet === CARD_BALANCE;
  return (
    <FilterForm
      action="/payouts"
      label={t('label')}
      className="grid grid-cols-2 items-end gap-3 sm:flex sm:flex-wrap"
      fold={(await getTranslations('common'))('filters')}
    >
      {filter.view !== 'all' && <input type="hidden" name="view" value={filter.view} />}
      {filter.part !== null && <input type="hidden" name="part" value={filter.part} />}
      {filter.waits !== null && <input type="hidden" name="waits" value={filter.waits} />}
      {filter.batch !== null && <input type="hidden" name="batch" value={filter.batch} />}
      {filter.recipient !== null && (
        <input type="hidden" name="recipient" value={filter.recipient} />
      )}
      {filter.picked.length > 0 && (
        <input type="hidden" name="pick" value={filter.picked.join('.')} />
      )}
      {sort !== '-date' && <input type="hidden" name="sort" value={sort} />}
      <SearchField id="filter-text" label={t('text')} value={filter.text} hint={t('textHint')} />
      <WalletField
        id="filter-wallet"
        label={t('wallet')}
        all={t('allWallets')}
        value={filter.wallet}
        wallets={wallets}
        others={card ? [{ value: CARD_BALANCE, text: t('cards') }] : []}
      />
      <DayRange id="filter" from={filter.from} to={filter.to} />
      <Button type="submit" className="max-sm:col-span-2">
        {t('apply')}
      </Button>
    </FilterForm>
  );
}
