import { getLocale, getTimeZone, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { movementAddress } from '#lib/movements/kinds.ts';
import { MoneyState } from '#components/money-state.tsx';
import { Link } from '#components/ui/link.tsx';
import { Pill } from '#components/ui/pill.tsx';
import { Head, Table } from '#components/ui/table.tsx';
import { formatDateTime, isoInZone } from '#lib/values/dates.ts';
import { shownIban } from '#lib/values/iban.ts';
import type { ColumnOf } from '#lib/list-columns/columns.ts';
import { addressOf } from '#lib/values/keyset.ts';
import type { Locale } from '#lib/values/locale.ts';
import { formatMoney } from '#lib/values/money.ts';
import { sortedBy } from '#lib/reports/filter.ts';
import type { ReportSort } from '#lib/reports/filter.ts';
import { withdrawalParams } from '#lib/reports/withdrawals/filter.ts';
import type { WithdrawalFilter } from '#lib/reports/withdrawals/filter.ts';
import type { WithdrawalPage, WithdrawalRow } from '#lib/reports/withdrawals/list.ts';
import type { WalletName } from '#lib/wallets/names.ts';
import { LevelPill } from './level-pill.tsx';
import { PATH } from './path.ts';

/** What is needed to write a row; asked for once, not in every row. */
type Writing = {
  t: Awaited<ReturnType<typeof getTranslations<'withdrawals'>>>;
  locale: Locale;
  zone: string;
  now: string;
  hidden: readonly ColumnOf<'withdrawals'>[];
};
type Props = {
  page: WithdrawalPage;
  filter: WithdrawalFilter;
  wallets: WalletName[];
  hidden: Writing['hidden'];
};

/** Requests as the provider lists them, each beside our own payout where there is one. */
export async function WithdrawalTable({
  page,
  filter,
  wallets,
  hidden,
}: Props): Promise<ReactNode> {
  const writing = {
    t: await getTranslations('withdrawals'),
    locale: (await getLocale()) as Locale,
    zone: await getTimeZone(),
    now: page.now,
    hidden,
  };
  const { t } = writing;
  const head = (sort: ReportSort): { href: string; sorted?: 'ascending' | 'descending' } => ({
    href: `${PATH}${addressOf(withdrawalParams(sortedBy(filter, sort)))}`,
    ...(filter.sort === sort ? { sorted: filter.order } : {}),
  });
  const walletName = (number: string | null): string =>
    wallets.find((wallet) => wallet.number === number)?.name ?? number ?? '–';
  return (
    <Table
      caption={t('caption')}
      head={
        <>
          <Head>{t('table.recipient')}</Head>
          <Head {...head('date')}>{t('table.at')}</Head>
          {!hidden.includes('wallet') && <Head wide>{t('table.wallet')}</Head>}
          <Head>{t('table.level')}</Head>
          {!hidden.includes('ours') && <Head>{t('table.ours')}</Head>}
          <Head numeric {...head('amount')}>
            {t('table.amount')}
          </Head>
        </>
      }
    >
      {page.rows.map((row) => (
        <WithdrawalLine
          key={row.requestId}
          row={row}
          wallet={walletName(row.wallet)}
          writing={writing}
        />
      ))}
    </Table>
  );
}

function WithdrawalLine({
  row,
  wallet,
  writing: { t, locale, zone, now, hidden },
}: {
  row: WithdrawalRow;
  wallet: string;
  writing: Writing;
}): ReactNode {
  return (
    <tr className="row">
      <td className="first">
        <span className="min-w-0">
          <Link
            href={`${PATH}/${encodeURIComponent(row.requestId)}`}
            prefetch={false}
            data-row-link
            className="font-medium text-accent hover:underline"
          >
            {row.name ?? t('nameless')}
          </Link>
          {row.iban !== null && (
            <span className="block font-mono text-mono text-muted">{shownIban(row.iban)}</span>
          )}
        </span>
      </td>
      <td data-label={t('table.at')}>
        <time
          dateTime={row.createdAt}
          title={isoInZone(row.createdAt, zone)}
          className="whitespace-nowrap tabular-nums"
        >
          {formatDateTime(row.createdAt, locale, { zone, now })}
        </time>
      </td>
      {!hidden.includes('wallet') && (
        <td data-label={t('table.wallet')} className="wide">
          {wallet}
        </td>
      )}
      <td data-label={t('table.level')}>
        <LevelPill level={row.level} />
      </td>
      {!hidden.includes('ours') && (
        <td data-label={t('table.ours')}>
          <Ours row={row} />
        </td>
      )}
      <td data-label={t('table.amount')} className="numeric">
        {formatMoney(row.amount, row.currency, locale)}
      </td>
    </tr>
  );
}

/** Our own state beside the provider's; a contradiction is put into words. */
async function Ours({ row: { payout, beside } }: { row: WithdrawalRow }): Promise<ReactNode> {
  const t = await getTranslations('withdrawals');
  if (payout === null) return <span className="text-muted">{t('beside.not_ours')}</span>;
  return (
    <span className="inline-flex flex-wrap items-center gap-x-2 gap-y-1 max-sm:justify-end">
      <Link href={movementAddress(payout)} prefetch={false} className="hover:underline">
        <MoneyState state={payout.state} returned={payout.returned} />
        <span className="sr-only">: {t('openOurs')}</span>
      </Link>
      {beside === 'differs' && <Pill tone="attention">{t('beside.differs')}</Pill>}
    </span>
  );
}
