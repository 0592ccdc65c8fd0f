import type { getTranslations } from 'next-intl/server';
import { formatDate } from '#lib/values/dates.ts';
import type { Locale } from '#lib/values/locale.ts';
import { formatAmount } from '#lib/values/money.ts';
import { searchAmounts } from '#lib/payouts/filter.ts';
import { readSearch } from '#lib/form-fields/search-text.ts';
import type { TransactionFilter } from '#lib/reports/transactions/filter.ts';
import type { WalletName } from '#lib/wallets/names.ts';

type Words = Awaited<ReturnType<typeof getTranslations<'transactions'>>>;
type FilterChip = { text: string; without: Partial<TransactionFilter> };

/** Each filter as a sentence; the days are always there, because a report always has a range. */
export function transactionChips(
  filter: TransactionFilter,
  wallets: readonly WalletName[],
  locale: Locale,
  t: Words,
): { days: string; list: FilterChip[] } {
  const list: FilterChip[] = [];
  const add = (text: string, without: Partial<TransactionFilter>): void =>
    void list.push({ text, without });
  const search = readSearch(filter.text);
  if (search !== null) {
    const amounts = searchAmounts(search, locale).join(t('chips.or'));
    add(
      amounts === ''
        ? t('chips.text', { text: filter.text })
        : t('chips.textAmounts', { text: filter.text, amounts }),
      { text: '' },
    );
  }
  if (filter.wallet !== null)
    add(
      t('chips.wallet', {
        wallet: wallets.find(({ number }) => number === filter.wallet)?.name ?? filter.wallet,
      }),
      { wallet: null },
    );
  if (filter.type !== null)
    add(t('chips.type', { type: t(`types.${filter.type}`) }), { type: null });
  if (filter.direction !== null) add(t(`directions.${filter.direction}`), { direction: null });
  if (filter.status !== null)
    add(t('chips.status', { status: t(`statuses.${filter.status}`) }), { status: null });
  if (filter.min !== null)
    add(t('chips.min', { amount: formatAmount(filter.min, locale) }), { min: null });
  if (filter.max !== null)
    add(t('chips.max', { amount: formatAmount(filter.max, locale) }), { max: null });
  const [from, to] = [formatDate(filter.from, locale), formatDate(filter.to, locale)];
  return {
    days: from === to ? t('chips.day', { day: from }) : t('chips.between', { from, to }),
    list,
  };
}
