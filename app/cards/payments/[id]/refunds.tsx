import { getLocale, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { Panel } from '#components/ui/panel.tsx';
import { Cell, Head, Row, Table } from '#components/ui/table.tsx';
import type { CardPaymentView } from '#lib/cards/payments/view.ts';
import type { Locale } from '#lib/values/locale.ts';
import { formatMoney } from '#lib/values/money.ts';

/** Refunds in the record's own words: its times carry no time zone, so they are not converted. */
export async function Refunds({
  refunds,
  currency,
}: Pick<CardPaymentView, 'refunds' | 'currency'>): Promise<ReactNode> {
  if (refunds.length === 0) return null;
  const t = await getTranslations('cards.refunds');
  const locale = (await getLocale()) as Locale;
  return (
    <Panel list title={t('title')}>
      <Table
        caption={t('caption')}
        head={
          <>
            <Head>{t('id')}</Head>
            <Head>{t('status')}</Head>
            <Head numeric>{t('amount')}</Head>
          </>
        }
      >
        {refunds.map((refund) => (
          <Row key={refund.refundId}>
            <Cell first>
              <span className="font-mono text-mono break-all">{refund.refundId}</span>
              <span className="block text-label text-muted">{refund.at}</span>
            </Cell>
            <Cell label={t('status')}>{refund.status ?? '–'}</Cell>
            <Cell label={t('amount')} numeric>
              {formatMoney(refund.amount, currency, locale)}
            </Cell>
          </Row>
        ))}
      </Table>
    </Panel>
  );
}
