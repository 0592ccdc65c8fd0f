import type { Metadata } from 'next';
import { getLocale, getTimeZone, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { Forbidden } from '#app/refused-page.tsx';
import { ReportTabs } from '#app/reports/tabs.tsx';
import { LiveChanges } from '#app/live-changes.tsx';
import { Banner } from '#components/ui/banner.tsx';
import { LinkButton } from '#components/ui/button.tsx';
import { EmptyState, PageHead, Panel } from '#components/ui/panel.tsx';
import { may } from '#lib/access/actor.ts';
import { dayIn, formatDateTime } from '#lib/values/dates.ts';
import { dayCloseParams, readDayCloseQuery } from '#lib/reports/day-close/filter.ts';
import { viewMonth } from '#lib/reports/day-close/view.ts';
import type { MonthView } from '#lib/reports/day-close/view.ts';
import { addressOf } from '#lib/values/keyset.ts';
import type { Locale } from '#lib/values/locale.ts';
import { signedIn } from '#lib/login/session.ts';
import { walletNames } from '#lib/wallets/names.ts';
import { monthText } from './amounts.ts';
import { BalanceChart } from './balance-chart.tsx';
import { CloseForm } from './close-form.tsx';
import { DayDetail } from './day-detail.tsx';
import { MonthChoice } from './month-choice.tsx';
import { MonthTable } from './month-table.tsx';

const PATH = '/reports/day-close';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('dayClose'))('title') };
}

export default async function DayClosePage({
  searchParams,
}: PageProps<'/reports/day-close'>): Promise<ReactNode> {
  const person = await signedIn();
  if (!may(person.role, 'wallet.read')) return <Forbidden person={person} needs="wallet.read" />;
  const zone = await getTimeZone();
  const query = readDayCloseQuery(await searchParams, dayIn(new Date().toISOString(), zone));
  const wallets = await walletNames(person);
  const wallet = wallets.find((one) => one.number === query.wallet) ?? wallets[0];
  const t = await getTranslations('dayClose');
  const locale = (await getLocale()) as Locale;
  const view =
    wallet === undefined
      ? null
      : await viewMonth(person, { wallet: wallet.number, currency: wallet.currency }, query.month);
  const here = { ...query, wallet: wallet?.number ?? null };
  const address = (day: string): string => `${PATH}${addressOf(dayCloseParams({ ...here, day }))}`;
  const open = view?.days.find((one) => one.day === query.day);
  return (
    <>
      <PageHead title={t('title')}>
        <LiveChanges kinds={['records']} />
      </PageHead>
      <ReportTabs role={person.role} current="dayClose" />
      <p className="max-w-prose text-muted">{t('intro')}</p>
      {view === null || wallet === undefined ? (
        <NoWallets />
      ) : (
        <>
          <MonthChoice wallets={wallets} query={here} today={dayIn(view.now, zone)} />
          <p className="hidden text-section font-semibold print:block">
            {wallet.name} · {wallet.number} · {monthText(view.month, locale)}
          </p>
          {view.can.close && <CloseForm view={view} asks={query.close} />}
          <Freshness view={view} />
          <BalanceChart view={view} address={address} />
          <div
            className={`grid items-start gap-5 ${open === undefined ? '' : '2xl:grid-cols-[minmax(0,1fr)_26rem]'}`}
          >
            <Panel list>
              <MonthTable
                view={view}
                caption={t('caption', {
                  wallet: wallet.name,
                  month: monthText(view.month, locale),
                })}
                open={query.day}
                address={address}
              />
            </Panel>
            {open !== undefined && (
              <DayDetail
                person={person}
                view={view}
                day={open}
                close={`${PATH}${addressOf(dayCloseParams({ ...here, day: null }))}`}
              />
            )}
          </div>
        </>
      )}
    </>
  );
}

async function NoWallets(): Promise<ReactNode> {
  const t = await getTranslations('dayClose');
  return (
    <Panel>
      <EmptyState
        title={t('noWallets')}
        actions={<LinkButton href="/wallets">{t('openWallets')}</LinkButton>}
      >
        {t('noWalletsText')}
      </EmptyState>
    </Panel>
  );
}

/** Missing days are named above the figures. */
async function Freshness({ view: { coverage, days } }: { view: MonthView }): Promise<ReactNode> {
  const t = await getTranslations('dayClose');
  const locale = (await getLocale()) as Locale;
  const zone = await getTimeZone();
  return (
    <>
      {coverage.missing.length > 0 && (
        <Banner tone="attention">
          {t('missing', { count: coverage.missing.length })}{' '}
          {coverage.problem !== null && t('problem')}
        </Banner>
      )}
      {coverage.missing.length === 0 && days[0]?.opening === null && (
        <Banner tone="attention">{t('unknownOpening')}</Banner>
      )}
      {coverage.asOf !== null && (
        <p className="text-label text-muted">
          {t('freshness', { time: formatDateTime(coverage.asOf, locale, { zone, seconds: true }) })}
        </p>
      )}
    </>
  );
}
