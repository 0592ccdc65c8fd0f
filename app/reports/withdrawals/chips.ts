import { getTranslations } from 'next-intl/server';
import { reportChips } from '#app/reports/report-chips.ts';
import type { ReportChip, ReportChips } from '#app/reports/report-chips.ts';
import type { WithdrawalFilter } from '#lib/reports/withdrawals/filter.ts';
import type { WalletName } from '#lib/wallets/names.ts';

export async function withdrawalChips(
  filter: WithdrawalFilter,
  wallets: readonly WalletName[],
): Promise<ReportChips<WithdrawalFilter>> {
  const t = await getTranslations('withdrawals');
  const { level, completed } = filter;
  const own: ReportChip<WithdrawalFilter>[] = [];
  if (level !== null)
    own.push({ text: t('chips.level', { level: t(`levels.${level}`) }), without: { level: null } });
  if (completed !== null)
    own.push({
      text: t(completed ? 'filter.completedYes' : 'filter.completedNo'),
      without: { completed: null },
    });
  return reportChips(filter, wallets, own);
}
