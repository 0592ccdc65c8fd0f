import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { ReportFilters } from '#app/reports/report-filters.tsx';
import { ChoiceField } from '#components/filter-fields.tsx';
import { LEVELS, withdrawalParams } from '#lib/reports/withdrawals/filter.ts';
import type { WithdrawalFilter } from '#lib/reports/withdrawals/filter.ts';
import type { WalletName } from '#lib/wallets/names.ts';
import { withdrawalChips } from './chips.ts';
import { PATH } from './path.ts';

export async function WithdrawalFilters({
  filter,
  wallets,
}: {
  filter: WithdrawalFilter;
  wallets: WalletName[];
}): Promise<ReactNode> {
  const t = await getTranslations('withdrawals');
  return (
    <ReportFilters
      id="wr"
      path={PATH}
      label={t('filter.label')}
      hint={t('filter.textHint')}
      filter={filter}
      params={withdrawalParams}
      wallets={wallets}
      chips={await withdrawalChips(filter, wallets)}
    >
      <ChoiceField
        id="wr-level"
        name="level"
        label={t('filter.level')}
        value={filter.level}
        options={LEVELS.map((value) => ({ value, text: t(`levels.${value}`) }))}
      />
      <ChoiceField
        id="wr-completed"
        name="completed"
        label={t('filter.completed')}
        value={withdrawalParams(filter)['completed'] ?? null}
        options={[
          { value: 'yes', text: t('filter.completedYes') },
          { value: 'no', text: t('filter.completedNo') },
        ]}
      />
    </ReportFilters>
  );
}
