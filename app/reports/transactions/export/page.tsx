import type { Metadata } from 'next';
import { getLocale, getTimeZone, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { Forbidden } from '#app/refused-page.tsx';
import { ExportPanel } from '#app/reports/exports/export-panel.tsx';
import { Freshness } from '#app/reports/freshness.tsx';
import { LinkButton } from '#components/ui/button.tsx';
import { Fact, PageHead } from '#components/ui/panel.tsx';
import { may } from '#lib/access/actor.ts';
import { addressOf } from '#lib/values/keyset.ts';
import type { Locale } from '#lib/values/locale.ts';
import { formatMoney } from '#lib/values/money.ts';
import { coverageOf, wantDays } from '#lib/provider-records/coverage.ts';
import { readTransactionQuery, transactionParams } from '#lib/reports/transactions/filter.ts';
import { sumTransactions } from '#lib/reports/transactions/list.ts';
import { signedIn } from '#lib/login/session.ts';
import { PATH } from '../path.ts';
import { exportTransactions } from './actions.ts';
import { transactionFilterWords } from './frame.ts';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('transactions'))('exporting.title') };
}

/**
 * The file's contents before it is requested: the same filter, count and sums as the report's, and
 * its missing days.
 */
export default async function ExportTransactionsPage({
  searchParams,
}: PageProps<'/reports/transactions/export'>): Promise<ReactNode> {
  const person = await signedIn();
  if (!may(person.role, 'export.make') || !may(person.role, 'movement.read'))
    return <Forbidden person={person} needs="export.make" />;
  const [now, locale] = [new Date().toISOString(), (await getLocale()) as Locale];
  const { filter } = readTransactionQuery(await searchParams, now, locale, await getTimeZone());
  await wantDays(person.merchantId, 'ledger', filter);
  // Read before the sums, which may then have more than is said of them, and never less.
  const coverage = await coverageOf(person.merchantId, 'ledger', filter);
  const [totals, words, exports, t] = await Promise.all([
    sumTransactions(person, filter),
    transactionFilterWords(person, filter),
    getTranslations('exports'),
    getTranslations('transactions'),
  ]);
  const address = addressOf(transactionParams(filter));
  return (
    <>
      <PageHead title={t('exporting.title')}>
        <LinkButton href={`${PATH}${address}`}>{exports('new.back')}</LinkButton>
      </PageHead>
      <Freshness coverage={coverage} now={now} />
      <ExportPanel
        person={person}
        action={exportTransactions}
        filter={address}
        words={words}
        count={totals.reduce((all, { count }) => all + count, 0)}
        note={coverage.missing.length > 0 ? t('exporting.wait') : null}
      >
        {totals.map((total) => (
          <Fact key={total.currency} label={`${exports('new.sums')} ${total.currency}`}>
            <span className="flex flex-wrap gap-x-4 tabular-nums">
              {(['in', 'out', 'own', 'fees'] as const).map((one) => (
                <span key={one}>
                  {t(`sums.${one}`)}{' '}
                  <b className="font-semibold">{formatMoney(total[one], total.currency, locale)}</b>
                </span>
              ))}
            </span>
          </Fact>
        ))}
      </ExportPanel>
    </>
  );
}
