import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { Cell, Head, Row, Table } from '#components/ui/table.tsx';
import { When } from '#components/when.tsx';
import type { RequestRow } from '#lib/programs/api/requests.ts';

const FAILED_FROM = 400;

export async function RequestTable({ rows }: { rows: RequestRow[] }): Promise<ReactNode> {
  const t = await getTranslations('developers.requests');
  return (
    <Table
      caption={t('caption')}
      head={
        <>
          <Head>{t('at')}</Head>
          <Head>{t('key')}</Head>
          <Head>{t('request')}</Head>
          <Head>{t('status')}</Head>
          <Head>{t('idempotency')}</Head>
          <Head numeric>{t('took')}</Head>
        </>
      }
    >
      {rows.map((row) => (
        <Row key={row.id}>
          <Cell first>
            <When at={row.at} seconds />
          </Cell>
          <Cell label={t('key')}>
            <span className="wrap-anywhere">{row.keyName}</span>
          </Cell>
          <Cell label={t('request')}>
            <span className="font-mono text-mono break-all">
              {row.method} {row.path}
            </span>
          </Cell>
          <Cell label={t('status')} state>
            <span className={row.status >= FAILED_FROM ? 'font-medium text-failed' : ''}>
              {row.status}
              {row.code !== null && (
                <span className="block font-mono text-mono break-all">{row.code}</span>
              )}
            </span>
          </Cell>
          <Cell label={t('idempotency')}>
            <span className="font-mono text-mono break-all text-muted">
              {row.idempotencyKey ?? '–'}
            </span>
          </Cell>
          <Cell label={t('took')} numeric>
            {t('ms', { ms: row.tookMs })}
          </Cell>
        </Row>
      ))}
    </Table>
  );
}
