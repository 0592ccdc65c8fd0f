import { getLocale, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { MoneyState } from '#components/money-state.tsx';
import { Link } from '#components/ui/link.tsx';
import { Cell, Head, Row, Table } from '#components/ui/table.tsx';
import { When } from '#components/when.tsx';
import { shownIban } from '#lib/iban.ts';
import type { Locale } from '#lib/locale.ts';
import { formatMoney } from '#lib/money.ts';
import { payoutListAddress, sortedBy } from '#lib/payouts/filter.ts';
import type { PayoutFilter, PayoutSort } from '#lib/payouts/filter.ts';
import type { PayoutPage } from '#lib/payouts/list.ts';
import type { WalletName } from '#lib/wallets/names.ts';

export async function PayoutTable({ page, filter, wallets }: { page: PayoutPage; filter: PayoutFilter; wallets: WalletName[] }): Promise<ReactNode> {
  const t = await getTranslations('payouts.table');
  const locale = (await getLocale()) as Locale;
  const head = (sort: PayoutSort): { href: string; sorted?: 'ascending' | 'descending' } => ({
    href: `/payouts${payoutListAddress(sortedBy(filter, sort))}`,
    ...(filter.sort === sort ? { sorted: filter.order } : {}),
  });
  const count = page.totals.reduce((all, total) => all + total.count, 0);
  return (
    <Table
      caption={t('caption', { count })}
      head={
        <>
          <Head {...head('name')}>{t('recipient')}</Head>
          <Head wide>{t('iban')}</Head>
          <Head {...head('date')}>{t('date')}</Head>
          <Head wide>{t('wallet')}</Head>
          <Head>{t('state')}</Head>
          <Head numeric {...head('amount')}>{t('amount')}</Head>
        </>
      }
    >
      {page.rows.map((row) => (
        <Row key={row.id}>
          <Cell first><Link href={`/payouts/${row.id}`} prefetch={false} className="font-medium hover:underline">{row.name}</Link></Cell>
          <Cell label={t('iban')} wide><span className="font-mono text-mono whitespace-nowrap text-muted">{shownIban(row.iban)}</span></Cell>
          <Cell label={t('date')}><When at={row.createdAt} now={page.now} /></Cell>
          <Cell label={t('wallet')} wide>{wallets.find((wallet) => wallet.number === row.wallet)?.name ?? row.wallet}</Cell>
          <Cell label={t('state')}><MoneyState state={row.state} refund={row.refund} /></Cell>
          <Cell label={t('amount')} numeric>{formatMoney(row.amount, row.currency, locale)}</Cell>
        </Row>
      ))}
    </Table>
  );
}
