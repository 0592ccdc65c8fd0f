import { getLocale, getTimeZone, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { ActionButton } from '#components/action-button.tsx';
import { Link } from '#components/ui/link.tsx';
import { Pill } from '#components/ui/pill.tsx';
import type { Tone } from '#components/ui/pill.tsx';
import { Cell, Head, Row, Table } from '#components/ui/table.tsx';
import { When } from '#components/when.tsx';
import type { DeliveryRow, DeliveryState } from '#lib/programs/outgoing/deliveries.ts';
import { formatDateTime } from '#lib/values/dates.ts';
import type { Locale } from '#lib/values/locale.ts';
import { sendAgainNow } from '../actions.ts';

const TONES: Readonly<Record<DeliveryState, Tone>> = {
  waiting: 'progress',
  again: 'attention',
  delivered: 'settled',
  given_up: 'failed',
};
const FAULTS = ['no_endpoint', 'not_public', 'timed_out'];

export async function DeliveryTable({ rows }: { rows: DeliveryRow[] }): Promise<ReactNode> {
  const t = await getTranslations('developers.webhooks');
  return (
    <Table
      caption={t('caption')}
      head={
        <>
          <Head>{t('at')}</Head>
          <Head>{t('type')}</Head>
          <Head>{t('state')}</Head>
          <Head>{t('answer')}</Head>
          <Head numeric>{t('tries')}</Head>
          <Head>{t('next')}</Head>
          <Head>
            <span className="sr-only">{t('action')}</span>
          </Head>
        </>
      }
    >
      {rows.map((row) => (
        <DeliveryLine key={row.id} row={row} />
      ))}
    </Table>
  );
}

async function DeliveryLine({ row }: { row: DeliveryRow }): Promise<ReactNode> {
  const t = await getTranslations('developers.webhooks');
  const zone = await getTimeZone();
  const at = formatDateTime(row.at, (await getLocale()) as Locale, { zone, seconds: true });
  return (
    <Row>
      <Cell first>
        <When at={row.at} seconds />
      </Cell>
      <Cell label={t('type')}>
        <span className="min-w-0">
          {row.href === null ? (
            t(`types.${row.type}`)
          ) : (
            <Link href={row.href} className="text-accent hover:underline">
              {t(`types.${row.type}`)}
            </Link>
          )}
          <details>
            <summary className="text-label text-muted">{t('body')}</summary>
            <pre className="max-w-full text-mono break-all whitespace-pre-wrap">{row.body}</pre>
          </details>
        </span>
      </Cell>
      <Cell label={t('state')} state>
        <Pill tone={TONES[row.state]}>{t(`states.${row.state}`)}</Pill>
      </Cell>
      <Cell label={t('answer')}>{await answerOf(row)}</Cell>
      <Cell label={t('tries')} numeric>
        {String(row.tries)}
      </Cell>
      <Cell label={t('next')} when>
        {row.nextAt === null ? '–' : <When at={row.nextAt} seconds />}
      </Cell>
      <Cell>
        {row.can.again && (
          <ActionButton
            action={sendAgainNow}
            fields={{ id: row.id }}
            label={t('againLabel', { at })}
          >
            {t('again')}
          </ActionButton>
        )}
      </Cell>
    </Row>
  );
}

async function answerOf({ status, fault }: DeliveryRow): Promise<string> {
  const t = await getTranslations('developers.webhooks.faults');
  if (status !== null) return String(status);
  if (fault === null) return t('none');
  return FAULTS.includes(fault) ? t(fault) : t('other', { fault });
}
