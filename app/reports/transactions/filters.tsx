import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { ReportFilters } from '#app/reports/report-filters.tsx';
import { ChoiceField } from '#components/filter-fields.tsx';
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

export async function TransactionFilters({
  filter,
  wallets,
}: {
  filter: TransactionFilter;
  wallets: WalletName[];
}): Promise<ReactNode> {
  const t = await getTranslations('transactions');
  return (
    <ReportFilters
      id="tx"
      path={PATH}
      label={t('filter.label')}
      hint={t('filter.textHint')}
      filter={filter}
      params={transactionParams}
      wallets={wallets}
      chips={await transactionChips(filter, wallets)}
    >
      <ChoiceField
        id="tx-type"
        name="type"
        label={t('filter.type')}
        value={filter.type}
        options={TRANSACTION_TYPES.map((value) => ({ value, text: t(`types.${value}`) }))}
      />
      <ChoiceField
        id="tx-direction"
        name="direction"
        label={t('filter.direction')}
        value={filter.direction}
        options={DIRECTIONS.map((value) => ({ value, text: t(`directions.${value}`) }))}
      />
      <ChoiceField
        id="tx-status"
        name="status"
        label={t('filter.status')}
        value={filter.status}
        options={STATUSES.map((value) => ({ value, text: t(`statuses.${value}`) }))}
      />
    </ReportFilters>
  );
}
