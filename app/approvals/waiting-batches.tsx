import { getLocale, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { Link } from '#components/ui/link.tsx';
import { Panel } from '#components/ui/panel.tsx';
import { Cell, Head, Row, Table } from '#components/ui/table.tsx';
import { When } from '#components/when.tsx';
import type { ListedWaiting } from '#lib/batches/approval/list.ts';
import type { Locale } from '#lib/values/locale.ts';
import { formatMoney } from '#lib/values/money.ts';

/** The batches that wait, each decided on its own page; nothing where none waits. */
export async function WaitingBatches({
  batches,
}: {
  batches: readonly ListedWaiting[];
}): Promise<ReactNode> {
  const t = await getTranslations('approvals');
  const locale = (await getLocale()) as Locale;
  if (batches.length === 0) return null;
  return (
    <Panel title={t('batches.title')} list>
      <Table
        caption={t('batches.title')}
        head={
          <>
            <Head>{t('batches.file')}</Head>
            <Head numeric>{t('columns.amount')}</Head>
            <Head>{t('columns.maker')}</Head>
            <Head>{t('columns.approvals')}</Head>
          </>
        }
      >
        {batches.map((batch) => (
          <Row key={batch.id} lead>
            <Cell first>
              <Link
                href={`/batches/${batch.id}`}
                className="font-medium wrap-anywhere hover:underline"
              >
                {batch.name || t('batches.paste')}
              </Link>
              <span className="block text-label text-muted">
                {t('batches.count', { count: batch.count })}
              </span>
            </Cell>
            <Cell label={t('columns.amount')} numeric>
              {formatMoney(batch.sum, batch.currency, locale)}
            </Cell>
            <Cell label={t('columns.maker')}>
              {batch.maker}
              <span className="block text-label text-muted">
                {t('columns.since')} <When at={batch.since} />
              </span>
              <span className="block text-label text-muted">
                {t('columns.expires')} <When at={batch.expiresAt} />
              </span>
            </Cell>
            <Cell label={t('columns.approvals')}>
              {t('ofNeeded', { given: batch.given, needed: batch.needed })}
              <span className="block text-label text-muted">
                {batch.isMine ? t('barred.none') : t('batches.other')}
              </span>
            </Cell>
          </Row>
        ))}
      </Table>
    </Panel>
  );
}
