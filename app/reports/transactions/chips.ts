import { getTranslations } from 'next-intl/server';
import { reportChips } from '#app/reports/report-chips.ts';
import type { ReportChip, ReportChips } from '#app/reports/report-chips.ts';
import type { TransactionFilter } from '#lib/reports/transactions/filter.ts';
import type { WalletName } from '#lib/wallets/names.ts';

export async function transactionChips(
  filter: TransactionFilter,
  wallets: readonly WalletName[],
): Promise<ReportChips<TransactionFilter>> {
  const t = await getTranslations('transactions');
  const { type, direction, status } = filter;
  const own: ReportChip<TransactionFilter>[] = [];
  if (type !== null)
    own.push({ text: t('chips.type', { type: t(`types.${type}`) }), without: { type: null } });
  if (direction !== null)
    own.push({ text: t(`directions.${direction}`), without: { direction: null } });
  if (status !== null)
    own.push({
      text: t('chips.status', { status: t(`statuses.${status}`) }),
      without: { status: null },
    });
  return reportChips(filter, wallets, own);
}
