import { getLocale, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { Link } from '#components/ui/link.tsx';
import { Cell, Head, Row, Table } from '#components/ui/table.tsx';
import { When } from '#components/when.tsx';
import type { CardRow } from '#lib/cards/payments/list.ts';
import type { ColumnOf } from '#lib/list-columns/columns.ts';
import type { Locale } from '#lib/values/locale.ts';
import { formatMoney } from '#lib/values/money.ts';
import { CardDigits, CardState } from './card-state.tsx';

export async function CardTable({
  rows,
  now,
  hidden,
}: {
  rows: CardRow[];
  now: string;
  hidden: readonly ColumnOf<'card_payments'>[];
}): Promise<ReactNode> {
  const t = await getTranslations('cards');
  return (
    <Table
      caption={t('caption')}
      head={
        <>
          <Head>{t('columns.invoice')}</Head>
          {!hidden.includes('card') && <Head>{t('columns.card')}</Head>}
          <Head>{t('columns.seen')}</Head>
          <Head>{t('columns.state')}</Head>
          {!hidden.includes('verified') && <Head wide>{t('columns.verified')}</Head>}
          <Head numeric>{t('columns.amount')}</Head>
        </>
      }
    >
      {rows.map((row) => (
        <Row key={row.id} brief>
          <Cell first>
            <Link
              href={`/cards/payments/${row.id}`}
              className="font-medium break-all hover:underline"
            >
              {row.invoiceId}
            </Link>
          </Cell>
          {!hidden.includes('card') && (
            <Cell label={t('columns.card')}>
              <CardDigits card={row.card} />
            </Cell>
          )}
          <Cell label={t('columns.seen')} when>
            <When at={row.firstSeenAt} now={now} />
          </Cell>
          <Cell label={t('columns.state')} state>
            <CardState state={row.state} link={row.link} />
            {row.problem !== null && (
              <span className="block max-w-72 pt-1 text-label text-attention">
                {t(`problems.${row.problem}`)}
              </span>
            )}
          </Cell>
          {!hidden.includes('verified') && (
            <Cell label={t('columns.verified')} wide>
              {row.verifiedAt === null ? '–' : <When at={row.verifiedAt} now={now} />}
            </Cell>
          )}
          <Cell label={t('columns.amount')} numeric>
            <Amount row={row} />
          </Cell>
        </Row>
      ))}
    </Table>
  );
}

/** What was taken: of an authorization captured in part, that part, and the amount it is of. */
async function Amount({
  row: { amount, taken, currency },
}: {
  row: Pick<CardRow, 'amount' | 'taken' | 'currency'>;
}): Promise<ReactNode> {
  const t = await getTranslations('cards');
  const locale = (await getLocale()) as Locale;
  if (amount === null) return '–';
  if (taken === null) return formatMoney(amount, currency, locale);
  return (
    <span className="grid">
      {formatMoney(taken, currency, locale)}
      <span className="text-label font-normal text-muted">
        {t('ofHeld', { amount: formatMoney(amount, currency, locale) })}
      </span>
    </span>
  );
}
