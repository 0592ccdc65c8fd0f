import { getLocale, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { CardDigits } from '#app/cards/payments/card-state.tsx';
import { Link } from '#components/ui/link.tsx';
import { Cell, Head, Row, Table } from '#components/ui/table.tsx';
import { When } from '#components/when.tsx';
import type { Locale } from '#lib/values/locale.ts';
import { formatMoney } from '#lib/values/money.ts';
import type { PlanRow } from '#lib/cards/recurring/list.ts';
import { PlanState, Rhythm } from './plan-state.tsx';

type Words = Awaited<ReturnType<typeof getTranslations<'recurring'>>>;

export async function PlanTable({
  rows,
  now,
}: {
  rows: PlanRow[];
  now: string;
}): Promise<ReactNode> {
  const t = await getTranslations('recurring');
  const locale = (await getLocale()) as Locale;
  return (
    <Table
      caption={t('caption')}
      head={
        <>
          <Head>{t('columns.plan')}</Head>
          <Head>{t('columns.card')}</Head>
          <Head>{t('columns.status')}</Head>
          <Head>{t('columns.next')}</Head>
          <Head>{t('columns.taken')}</Head>
          <Head wide>{t('columns.verified')}</Head>
          <Head numeric>{t('columns.amount')}</Head>
        </>
      }
    >
      {rows.map((row) => (
        <PlanLine key={row.id} row={row} now={now} locale={locale} t={t} />
      ))}
    </Table>
  );
}

function PlanLine({
  row,
  now,
  locale,
  t,
}: {
  row: PlanRow;
  now: string;
  locale: Locale;
  t: Words;
}): ReactNode {
  return (
    <Row>
      <Cell first>
        <Link href={`/cards/recurring/${row.id}`} className="font-medium break-all hover:underline">
          {row.planCode}
        </Link>
      </Cell>
      <Cell label={t('columns.card')}>
        <CardDigits card={row.card} />
      </Cell>
      <Cell label={t('columns.status')}>
        <PlanState status={row.status} />
        {row.problem !== null && (
          <span className="block max-w-72 pt-1 text-label text-attention">
            {t(`problems.${row.problem}`)}
          </span>
        )}
        {row.charge !== null && (
          <span className="block max-w-72 pt-1 text-label text-attention">
            {t(`log.states.${row.charge}`)}
          </span>
        )}
      </Cell>
      <Cell label={t('columns.next')}>
        {row.status !== 'active' || row.nextChargeAt === null ? (
          '–'
        ) : (
          <When at={row.nextChargeAt} now={now} />
        )}
      </Cell>
      <Cell label={t('columns.taken')}>
        {row.status === null
          ? '–'
          : row.payments === null
            ? t('takenOnly', { taken: row.taken })
            : t('taken', { taken: row.taken, payments: row.payments })}
      </Cell>
      <Cell label={t('columns.verified')} wide>
        {row.verifiedAt === null ? '–' : <When at={row.verifiedAt} now={now} />}
      </Cell>
      <Cell label={t('columns.amount')} numeric>
        {row.amount === null ? (
          '–'
        ) : (
          <>
            {formatMoney(row.amount, row.currency, locale)}
            <span className="block text-label font-normal text-muted">
              <Rhythm every={row.every} cycle={row.cycle} />
            </span>
          </>
        )}
      </Cell>
    </Row>
  );
}
