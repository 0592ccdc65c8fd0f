import { getLocale, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { MoneyState } from '#components/money-state.tsx';
import { LinkButton } from '#components/ui/button.tsx';
import { RECEIPT_LINK } from '#components/ui/classes.ts';
import { Link } from '#components/ui/link.tsx';
import { EmptyState, Panel } from '#components/ui/panel.tsx';
import { Cell, Head, Row, Table } from '#components/ui/table.tsx';
import { When } from '#components/when.tsx';
import type { Locale } from '#lib/values/locale.ts';
import { formatMoney } from '#lib/values/money.ts';
import { movementAddress } from '#lib/movements/kinds.ts';
import type { MovementLine } from '#lib/movement-views/overview.ts';

export async function Recent({
  rows,
  receipts,
  now,
  mayPrepare,
}: {
  rows: MovementLine[];
  /** Ids of the receipts that can be downloaded, by movement id. */
  receipts: ReadonlyMap<string, string>;
  now: string;
  mayPrepare: boolean;
}): Promise<ReactNode> {
  const t = await getTranslations('home');
  return (
    <Panel
      list
      title={t('recent.title')}
      aside={
        rows.length > 0 ? (
          <Link href="/payouts" className="text-label font-medium text-accent hover:underline">
            {t('recent.all')}
          </Link>
        ) : undefined
      }
    >
      {rows.length === 0 ? (
        <EmptyState
          title={t('recent.empty')}
          actions={mayPrepare ? <LinkButton href="/payouts/new">{t('new')}</LinkButton> : undefined}
        >
          {t('recent.emptyText')}
        </EmptyState>
      ) : (
        <Rows rows={rows} receipts={receipts} now={now} />
      )}
    </Panel>
  );
}

async function Rows({
  rows,
  receipts,
  now,
}: {
  rows: MovementLine[];
  receipts: ReadonlyMap<string, string>;
  now: string;
}): Promise<ReactNode> {
  const t = await getTranslations('home');
  const locale = (await getLocale()) as Locale;
  return (
    <Table
      caption={t('recent.title')}
      head={
        <>
          <Head>{t('recent.name')}</Head>
          <Head>{t('recent.state')}</Head>
          <Head>{t('recent.at')}</Head>
          <Head numeric>{t('recent.amount')}</Head>
        </>
      }
    >
      {rows.map((row) => (
        <Row key={row.id} brief>
          <Cell first>
            <Link href={movementAddress(row)} className="font-medium text-accent hover:underline">
              {row.name}
            </Link>
          </Cell>
          <Cell label={t('recent.state')} state>
            <span>
              <MoneyState state={row.state} returned={row.returned} kind={row.kind} />
              {receipts.has(row.id) && (
                <a
                  href={`/receipts/${receipts.get(row.id)}/raw?download=1`}
                  download
                  className={RECEIPT_LINK}
                >
                  {t('recent.receipt')}
                  <span className="sr-only"> {row.name}</span>
                </a>
              )}
            </span>
          </Cell>
          <Cell label={t('recent.at')} when>
            <When at={row.createdAt} now={now} />
          </Cell>
          <Cell label={t('recent.amount')} numeric>
            {formatMoney(row.amount, row.currency, locale)}
          </Cell>
        </Row>
      ))}
    </Table>
  );
}
