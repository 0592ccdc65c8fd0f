import { getTranslations } from 'next-intl/server';
import { coverageWords } from '#app/reports/coverage-words.ts';
import type { OwnFrame } from '#app/reports/exports/request.ts';
import type { Person } from '#lib/access/actor.ts';
import { coverageOf } from '#lib/provider-records/coverage.ts';
import type { TransactionFilter } from '#lib/reports/transactions/filter.ts';
import { walletNames } from '#lib/wallets/names.ts';
import { transactionChips } from '../chips.ts';

/** The filter as sentences; the days come first. */
export async function transactionFilterWords(
  person: Person,
  filter: TransactionFilter,
): Promise<string[]> {
  const { days, list } = await transactionChips(filter, await walletNames(person));
  return [days, ...list.map(({ text }) => text)];
}

/** The report's own texts of a transactions file, including its missing days. */
export async function transactionFrame(
  person: Person,
  filter: TransactionFilter,
): Promise<OwnFrame> {
  const [exports, t] = [await getTranslations('exports'), await getTranslations('transactions')];
  return {
    fileName: exports('files.transactions'),
    title: t('title'),
    filter: await transactionFilterWords(person, filter),
    columns: t.raw('columns') as Record<string, string>,
    codes: {
      type: t.raw('types') as Record<string, string>,
      direction: t.raw('directions') as Record<string, string>,
      status: t.raw('statuses') as Record<string, string>,
    },
    labels: {
      sum: t('exporting.net'),
      momentsIs: await coverageWords(await coverageOf(person.merchantId, 'ledger', filter)),
    },
  };
}
