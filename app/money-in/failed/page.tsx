import type { Metadata } from 'next';
import { getLocale, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { Forbidden } from '#app/refused-page.tsx';
import { ListPager } from '#components/list-pager.tsx';
import { LiveChanges } from '#app/live-changes.tsx';
import { EmptyState, PageHead, Panel } from '#components/ui/panel.tsx';
import { Link } from '#components/ui/link.tsx';
import { Cell, Head, Row, Table } from '#components/ui/table.tsx';
import { When } from '#components/when.tsx';
import { may } from '#lib/access/actor.ts';
import { addressOf } from '#lib/values/keyset.ts';
import type { Place } from '#lib/values/keyset.ts';
import type { Locale } from '#lib/values/locale.ts';
import { formatMoney } from '#lib/values/money.ts';
import { signedIn } from '#lib/login/session.ts';
import { listCases } from '#lib/money-in/cases.ts';
import type { CaseRow } from '#lib/money-in/cases.ts';
import { readCaseQuery } from '#lib/money-in/filter.ts';
import { walletNames } from '#lib/wallets/names.ts';
import type { WalletName } from '#lib/wallets/names.ts';
import { MoneyInTabs } from '../money-in-tabs.tsx';
import { CaseStatePill, LikelyWallet } from './case-words.tsx';

const PATH = '/money-in/failed';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('moneyIn'))('failed.title') };
}

export default async function FailedTopUpsPage({
  searchParams,
}: PageProps<'/money-in/failed'>): Promise<ReactNode> {
  const person = await signedIn();
  if (!may(person.role, 'wallet.read')) return <Forbidden person={person} needs="wallet.read" />;
  const query = readCaseQuery(await searchParams);
  const [page, wallets] = await Promise.all([listCases(person, query), walletNames(person)]);
  const t = await getTranslations('moneyIn.failed');
  const params = { view: query.view === 'open' ? null : query.view };
  const address = (place: Place | null): string | null =>
    place === null ? null : `${PATH}${addressOf(params, place)}`;
  return (
    <>
      <PageHead title={(await getTranslations('moneyIn'))('title')}>
        <LiveChanges kinds={['top_up']} />
      </PageHead>
      <MoneyInTabs current="failed" open={page.open} />
      <p className="max-w-prose text-muted">{t('intro')}</p>
      {page.any && (
        <p>
          <Link
            href={query.view === 'open' ? `${PATH}?view=closed` : PATH}
            className="font-medium text-accent hover:underline"
          >
            {t(query.view === 'open' ? 'views.closed' : 'views.open')}
          </Link>
        </p>
      )}
      <Panel list>
        {page.rows.length > 0 ? (
          <Cases rows={page.rows} now={page.now} wallets={wallets} />
        ) : page.any ? (
          <EmptyState title={t(query.view === 'open' ? 'emptyOpen' : 'emptyClosed')} />
        ) : (
          <EmptyState title={t('empty.title')}>{t('empty.text')}</EmptyState>
        )}
        {(page.newer ?? page.older) !== null && (
          <ListPager previous={address(page.newer)} next={address(page.older)} />
        )}
      </Panel>
    </>
  );
}

async function Cases({
  rows,
  now,
  wallets,
}: {
  rows: CaseRow[];
  now: string;
  wallets: WalletName[];
}): Promise<ReactNode> {
  const t = await getTranslations('moneyIn.failed');
  const locale = (await getLocale()) as Locale;
  return (
    <Table
      caption={t('caption')}
      head={
        <>
          <Head>{t('columns.what')}</Head>
          <Head>{t('columns.description')}</Head>
          <Head>{t('columns.likely')}</Head>
          <Head>{t('columns.at')}</Head>
          <Head>{t('columns.state')}</Head>
          <Head numeric>{t('columns.amount')}</Head>
        </>
      }
    >
      {rows.map((row) => (
        <Row key={row.id}>
          <Cell first>
            <Link
              href={`${PATH}/${row.id}`}
              data-row-link
              className="font-medium text-accent hover:underline"
            >
              {t(`kinds.${row.kind}`)}
            </Link>
            {row.kind === 'other' && (
              <span className="block text-label wrap-anywhere text-muted">{row.message}</span>
            )}
            {row.seen > 1 && (
              <span className="block text-label text-muted">{t('times', { count: row.seen })}</span>
            )}
          </Cell>
          <Cell label={t('columns.description')}>
            <span className="wrap-anywhere">{row.description ?? t('noDescription')}</span>
          </Cell>
          <Cell label={t('columns.likely')}>
            <LikelyWallet likely={row.likely} wallets={wallets} />
          </Cell>
          <Cell label={t('columns.at')}>
            <When at={row.openedAt} now={now} />
          </Cell>
          <Cell label={t('columns.state')}>
            <CaseStatePill state={row.state} />
          </Cell>
          <Cell label={t('columns.amount')} numeric>
            {row.amount === null ? '–' : formatMoney(row.amount, row.currency ?? '', locale)}
          </Cell>
        </Row>
      ))}
    </Table>
  );
}
