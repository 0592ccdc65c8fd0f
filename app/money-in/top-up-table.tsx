import { getLocale, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { Link } from '#components/ui/link.tsx';
import { Cell, Head, Row, Table } from '#components/ui/table.tsx';
import { When } from '#components/when.tsx';
import { shownIban } from '#lib/values/iban.ts';
import type { Locale } from '#lib/values/locale.ts';
import { formatMoney } from '#lib/values/money.ts';
import type { TopUpRow } from '#lib/money-in/list.ts';
import type { WalletName } from '#lib/wallets/names.ts';
import { TopUpStatePill } from './top-up-state.tsx';

type Props = { rows: TopUpRow[]; now: string; wallets: WalletName[] };

export async function TopUpTable({ rows, now, wallets }: Props): Promise<ReactNode> {
  const t = await getTranslations('moneyIn');
  const locale = (await getLocale()) as Locale;
  return (
    <Table
      caption={t('caption')}
      head={
        <>
          <Head>{t('columns.sender')}</Head>
          <Head>{t('columns.description')}</Head>
          <Head>{t('columns.at')}</Head>
          <Head>{t('columns.wallet')}</Head>
          <Head>{t('columns.state')}</Head>
          <Head numeric>{t('columns.amount')}</Head>
        </>
      }
    >
      {rows.map((row) => (
        <Row key={row.id} brief>
          <Cell first>
            <Link
              href={`/money-in/${encodeURIComponent(row.id)}`}
              data-row-link
              className="font-medium text-accent hover:underline"
            >
              {row.senderName === null ? t('noSender') : <bdi>{row.senderName}</bdi>}
            </Link>
            {(row.senderIban ?? row.senderBank) !== null && (
              <span className="block text-label text-muted">
                {row.senderBank}
                {row.senderBank && row.senderIban ? ' · ' : ''}
                {row.senderIban && (
                  <span className="font-mono text-mono whitespace-nowrap">
                    {shownIban(row.senderIban)}
                  </span>
                )}
              </span>
            )}
          </Cell>
          <Cell label={t('columns.description')}>
            <bdi className="wrap-anywhere">{row.description ?? '–'}</bdi>
          </Cell>
          <Cell label={t('columns.at')} when>
            <When at={row.at} now={now} />
          </Cell>
          <Cell label={t('columns.wallet')}>
            {wallets.find((wallet) => wallet.number === row.wallet)?.name ?? row.wallet ?? '–'}
          </Cell>
          <Cell label={t('columns.state')} state>
            <TopUpStatePill state={row.state} />
          </Cell>
          <Cell label={t('columns.amount')} numeric>
            {row.amount === null ? '–' : formatMoney(row.amount, row.currency ?? '', locale)}
          </Cell>
        </Row>
      ))}
    </Table>
  );
}
