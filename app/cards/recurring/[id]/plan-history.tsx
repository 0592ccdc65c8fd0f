import { getLocale, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { Link } from '#components/ui/link.tsx';
import { Panel } from '#components/ui/panel.tsx';
import { Pill } from '#components/ui/pill.tsx';
import type { Tone } from '#components/ui/pill.tsx';
import { Cell, Head, Row, Table } from '#components/ui/table.tsx';
import { When } from '#components/when.tsx';
import type { Locale } from '#lib/values/locale.ts';
import { formatMoney } from '#lib/values/money.ts';
import type { PlanChargeRow, PlanView } from '#lib/cards/recurring/view.ts';

const TONES: Record<PlanChargeRow['status'], Tone> = {
  pending: 'draft',
  completed: 'settled',
  failed: 'failed',
  unknown: 'unknown',
};

/** Every charge on the plan's own record, past and future, the latest first. */
export async function PlanHistory({ plan }: { plan: PlanView }): Promise<ReactNode> {
  const t = await getTranslations('recurring.history');
  const locale = (await getLocale()) as Locale;
  const charges = [...plan.charges].sort((a, b) => (b.number ?? 0) - (a.number ?? 0));
  return (
    <Panel list title={t('title')}>
      {charges.length === 0 ? (
        <p className="px-4 py-3 text-muted">{t('none')}</p>
      ) : (
        <Table
          caption={t('caption')}
          head={
            <>
              <Head>{t('columns.number')}</Head>
              <Head>{t('columns.at')}</Head>
              <Head>{t('columns.state')}</Head>
              <Head>{t('columns.order')}</Head>
              <Head wide>{t('columns.attempts')}</Head>
              <Head numeric>{t('columns.amount')}</Head>
            </>
          }
        >
          {charges.map((charge) => (
            <Row key={`${charge.number} ${charge.orderId} ${charge.id}`}>
              <Cell first>
                <span className="tabular-nums">{charge.number ?? '–'}</span>
              </Cell>
              <Cell label={t('columns.at')}>
                {charge.at === null ? '–' : <When at={charge.at} now={plan.now} />}
              </Cell>
              <Cell label={t('columns.state')}>
                <Pill tone={TONES[charge.status]}>{t(`states.${charge.status}`)}</Pill>
                {charge.remarks !== null && (
                  <span className="block max-w-72 pt-1 text-label wrap-anywhere text-muted">
                    {charge.remarks}
                  </span>
                )}
              </Cell>
              <Cell label={t('columns.order')}>
                <Order charge={charge} />
              </Cell>
              <Cell label={t('columns.attempts')} wide>
                {charge.attempts?.toString() ?? '–'}
              </Cell>
              <Cell label={t('columns.amount')} numeric>
                {formatMoney(charge.amount, plan.currency, locale)}
              </Cell>
            </Row>
          ))}
        </Table>
      )}
    </Panel>
  );
}

/** The order number of this charge, linked to its payment where the product has one. */
function Order({ charge: { orderId, paymentId } }: { charge: PlanChargeRow }): ReactNode {
  if (orderId === null) return <span className="text-muted">–</span>;
  const number = <span className="font-mono text-mono break-all">{orderId}</span>;
  return paymentId === null ? (
    number
  ) : (
    <Link href={`/cards/payments/${paymentId}`} className="text-accent hover:underline">
      {number}
    </Link>
  );
}
