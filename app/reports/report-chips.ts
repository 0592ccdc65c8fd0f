import { getLocale, getTranslations } from 'next-intl/server';
import { formatDate } from '#lib/values/dates.ts';
import type { Locale } from '#lib/values/locale.ts';
import { formatAmount } from '#lib/values/money.ts';
import { searchAmounts } from '#lib/payouts/filter.ts';
import { readSearch } from '#lib/form-fields/search-text.ts';
import type { ReportFilter } from '#lib/reports/filter.ts';
import type { WalletName } from '#lib/wallets/names.ts';

export type ReportChip<F> = { text: string; without: Partial<F> };
/** The days are always there, because a report always has a range. */
export type ReportChips<F> = { days: string; list: ReportChip<F>[] };

/** Each filter of a report as a sentence; `own` are those of the report's own fields. */
export async function reportChips<F extends ReportFilter>(
  filter: F,
  wallets: readonly WalletName[],
  own: readonly ReportChip<F>[],
): Promise<ReportChips<F>> {
  const [t, locale] = [await getTranslations('reports.chips'), (await getLocale()) as Locale];
  const list: ReportChip<ReportFilter>[] = [];
  const add = (text: string, without: Partial<ReportFilter>): void =>
    void list.push({ text, without });
  const search = readSearch(filter.text);
  if (search !== null) {
    const amounts = searchAmounts(search, locale).join(t('or'));
    add(
      amounts === ''
        ? t('text', { text: filter.text })
        : t('textAmounts', { text: filter.text, amounts }),
      { text: '' },
    );
  }
  if (filter.wallet !== null) {
    const known = wallets.find(({ number }) => number === filter.wallet);
    add(t('wallet', { wallet: known?.name ?? filter.wallet }), { wallet: null });
  }
  const amounts: ReportChip<ReportFilter>[] = [];
  if (filter.min !== null)
    amounts.push({
      text: t('min', { amount: formatAmount(filter.min, locale) }),
      without: { min: null },
    });
  if (filter.max !== null)
    amounts.push({
      text: t('max', { amount: formatAmount(filter.max, locale) }),
      without: { max: null },
    });
  const [from, to] = [formatDate(filter.from, locale), formatDate(filter.to, locale)];
  return {
    days: from === to ? t('day', { day: from }) : t('between', { from, to }),
    list: [...(list as ReportChip<F>[]), ...own, ...(amounts as ReportChip<F>[])],
  };
}
