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
import { readWithdrawalQuery, withdrawalParams } from '#lib/reports/withdrawals/filter.ts';
import { sumWithdrawals } from '#lib/reports/withdrawals/list.ts';
import { signedIn } from '#lib/login/session.ts';
import { PATH } from '../path.ts';
import { exportWithdrawals } from './actions.ts';
import { withdrawalFilterWords } from './frame.ts';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('withdrawals'))('exportTitle') };
}

/**
 * The file's contents before it is requested: the same filter, count and sums as the report's, and
 * its missing days.
 */
export default async function ExportWithdrawalsPage({
  searchParams,
}: PageProps<'/reports/withdrawals/export'>): Promise<ReactNode> {
  const person = await signedIn();
  if (!may(person.role, 'export.make') || !may(person.role, 'movement.read'))
    return <Forbidden person={person} needs="export.make" />;
  const [now, locale] = [new Date().toISOString(), (await getLocale()) as Locale];
  const { filter } = readWithdrawalQuery(await searchParams, now, locale, await getTimeZone());
  await wantDays(person.merchantId, 'withdrawals', filter);
  // Read before the sums, which may then have more than is said of them, and never less.
  const coverage = await coverageOf(person.merchantId, 'withdrawals', filter);
  const [totals, words, exports, t] = await Promise.all([
    sumWithdrawals(person, filter),
    withdrawalFilterWords(person, filter),
    getTranslations('exports'),
    getTranslations('withdrawals'),
  ]);
  const address = addressOf(withdrawalParams(filter));
  return (
    <>
      <PageHead title={t('exportTitle')}>
        <LinkButton href={`${PATH}${address}`}>{exports('new.back')}</LinkButton>
      </PageHead>
      <Freshness list="withdrawals" coverage={coverage} now={now} />
      <ExportPanel
        person={person}
        action={exportWithdrawals}
        filter={address}
        words={words}
        count={totals.reduce((all, { count }) => all + count, 0)}
      >
        {totals.map((total) => (
          <Fact
            key={`${total.currency} ${total.level}`}
            label={`${exports('new.sums')} · ${t(`levels.${total.level}`)}`}
          >
            <b className="font-semibold tabular-nums">
              {formatMoney(total.sum, total.currency, locale)}
            </b>
          </Fact>
        ))}
      </ExportPanel>
    </>
  );
}
