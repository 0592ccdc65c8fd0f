import { getLocale, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { MoneyState } from '#components/money-state.tsx';
import { Link } from '#components/ui/link.tsx';
import { ICON_RELEASED, Pill } from '#components/ui/pill.tsx';
import { Cell, Head, Row, Table } from '#components/ui/table.tsx';
import { When } from '#components/when.tsx';
import type { Locale } from '#lib/values/locale.ts';
import { formatMoney } from '#lib/values/money.ts';
import { movementAddress } from '#lib/movements/kinds.ts';
import type { PayoutRow } from '#lib/payouts/list.ts';
import type { WalletName } from '#lib/wallets/names.ts';

type Props = { rows: PayoutRow[]; now: string; wallets: WalletName[]; caption: string };

export async function TransferTable({ rows, now, wallets, caption }: Props): Promise<ReactNode> {
  const t = await getTranslations('transfers.table');
  const locale = (await getLocale()) as Locale;
  const nameOf = (number: string): string =>
    wallets.find((wallet) => wallet.number === number)?.name ?? number;
  return (
    <Table
      caption={caption}
      head={
        <>
          <Head>{t('to')}</Head>
          <Head>{t('kind')}</Head>
          <Head wide>{t('number')}</Head>
          <Head>{t('date')}</Head>
          <Head wide>{t('from')}</Head>
          <Head>{t('state')}</Head>
          <Head numeric>{t('amount')}</Head>
        </>
      }
    >
      {rows.map((row) => (
        <Row key={row.id} brief>
          <Cell first>
            <Link href={movementAddress(row)} data-row-link className="font-medium hover:underline">
              {row.name}
            </Link>
          </Cell>
          <Cell label={t('kind')}>{t(`kinds.${row.kind}`)}</Cell>
          <Cell label={t('number')} wide>
            <span className="font-mono text-mono text-muted">{row.iban}</span>
          </Cell>
          <Cell label={t('date')} when>
            <When at={row.createdAt} now={now} />
          </Cell>
          <Cell label={t('from')} wide>
            {nameOf(row.wallet)}
          </Cell>
          <Cell label={t('state')} state>
            <MoneyState
              state={row.state}
              returned={row.returned}
              kind={row.kind}
              isSentBack={row.isSentBack}
            />
            {row.isReleased && (
              <Pill tone="attention" icon={ICON_RELEASED}>
                {t('released')}
              </Pill>
            )}
          </Cell>
          <Cell label={t('amount')} numeric>
            {formatMoney(row.amount, row.currency, locale)}
          </Cell>
        </Row>
      ))}
    </Table>
  );
}
