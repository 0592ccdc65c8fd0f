import { getLocale, getTimeZone, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { Link } from '#components/ui/link.tsx';
import { Cell, Head, Table } from '#components/ui/table.tsx';
import { formatDateTime, isoInZone } from '#lib/values/dates.ts';
import type { ColumnOf } from '#lib/list-columns/columns.ts';
import { addressOf } from '#lib/values/keyset.ts';
import type { Locale } from '#lib/values/locale.ts';
import { formatMoney } from '#lib/values/money.ts';
import { sortedBy } from '#lib/reports/filter.ts';
import type { ReportSort } from '#lib/reports/filter.ts';
import { transactionParams } from '#lib/reports/transactions/filter.ts';
import type { Direction, TransactionFilter } from '#lib/reports/transactions/filter.ts';
import type { TransactionPage, TransactionRow } from '#lib/reports/transactions/list.ts';
import type { WalletName } from '#lib/wallets/names.ts';
import { movementAddress } from '#lib/movements/kinds.ts';
import { PATH } from './path.ts';
import { StatusPill } from './status-pill.tsx';

/** What is needed to write a row; asked for once, not in every row. */
type Writing = {
  t: Awaited<ReturnType<typeof getTranslations<'transactions'>>>;
  locale: Locale;
  zone: string;
  now: string;
  hidden: readonly ColumnOf<'transactions'>[];
};

/**
 * As few elements as possible in a row: the sign of an amount tells its direction, a word marks a
 * movement between own wallets.
 */
export async function TransactionTable({
  page,
  filter,
  wallets,
  hidden,
}: {
  page: TransactionPage;
  filter: TransactionFilter;
  wallets: readonly WalletName[];
  hidden: Writing['hidden'];
}): Promise<ReactNode> {
  const writing = {
    t: await getTranslations('transactions'),
    locale: (await getLocale()) as Locale,
    zone: await getTimeZone(),
    now: page.now,
    hidden,
  };
  const { t } = writing;
  const head = (sort: ReportSort): { href: string; sorted?: 'ascending' | 'descending' } => ({
    href: `${PATH}${addressOf(transactionParams(sortedBy(filter, sort)))}`,
    ...(filter.sort === sort ? { sorted: filter.order } : {}),
  });
  const walletName = (number: string | null): string | null =>
    wallets.find((wallet) => wallet.number === number)?.name ?? number;
  const parties = (row: TransactionRow): string =>
    [walletName(row.fromWallet), walletName(row.toWallet)]
      .filter((one) => one !== null)
      .join(' → ');
  return (
    <Table
      caption={t('caption')}
      head={
        <>
          <Head {...head('date')}>{t('table.at')}</Head>
          <Head>{t('table.what')}</Head>
          {!hidden.includes('about') && <Head>{t('table.about')}</Head>}
          {!hidden.includes('wallet') && <Head wide>{t('table.wallet')}</Head>}
          <Head numeric {...head('amount')}>
            {t('table.amount')}
          </Head>
        </>
      }
    >
      {page.rows.map((row) => (
        <TransactionLine key={row.id} row={row} parties={parties(row)} writing={writing} />
      ))}
    </Table>
  );
}

function TransactionLine({
  row,
  parties,
  writing: { t, locale, zone, now, hidden },
}: {
  row: TransactionRow;
  parties: string;
  writing: Writing;
}): ReactNode {
  return (
    <tr className="row">
      <Cell first>
        <Link
          href={`${PATH}/${row.id}`}
          prefetch={false}
          className="font-medium text-accent hover:underline"
        >
          <time
            dateTime={row.at}
            title={isoInZone(row.at, zone)}
            className="whitespace-nowrap tabular-nums"
          >
            {formatDateTime(row.at, locale, { zone, now })}
          </time>
        </Link>
      </Cell>
      <td data-label={t('table.what')}>
        <span className="inline-flex flex-wrap items-center gap-x-2 gap-y-1">
          {row.type === 'other' ? (row.typeText ?? t('types.other')) : t(`types.${row.type}`)}
          {row.direction === 'own' && (
            <span className="text-label text-muted">{t('directions.own')}</span>
          )}
          {row.status !== 'completed' && <StatusPill status={row.status} text={row.statusText} />}
        </span>
      </td>
      {!hidden.includes('about') && <AboutCell row={row} t={t} />}
      {!hidden.includes('wallet') && (
        <td data-label={t('table.wallet')} className="wide">
          {parties}
        </td>
      )}
      <td data-label={t('table.amount')} className="numeric">
        <span>
          {signed(row, locale)}
          {row.fee !== '0.00' && (
            <span className="block text-label font-normal text-muted">
              {t('feeIs', { amount: formatMoney(row.fee, row.currency, locale) })}
            </span>
          )}
        </span>
      </td>
    </tr>
  );
}

/** The other side, with our own movement where there is one. */
function AboutCell({ row, t }: { row: TransactionRow; t: Writing['t'] }): ReactNode {
  return (
    <td data-label={t('table.about')}>
      <span className="min-w-0">
        {row.movement === null ? (
          row.name && <span className="font-medium">{row.name} </span>
        ) : (
          <Link
            href={movementAddress(row.movement)}
            prefetch={false}
            className="font-medium text-accent hover:underline"
          >
            {row.name ?? t('ours')}
          </Link>
        )}
        <bdi className="block text-label text-muted">{row.description ?? '–'}</bdi>
      </span>
    </td>
  );
}

/** Money between own wallets has no sign: it neither came nor went. */
export function signed(
  { direction, amount, currency }: { direction: Direction; amount: string; currency: string },
  locale: Locale,
): string {
  if (direction === 'own') return formatMoney(amount, currency, locale);
  return formatMoney(direction === 'out' ? `-${amount}` : amount, currency, locale, {
    sign: 'always',
  });
}
