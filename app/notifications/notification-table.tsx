import { getLocale, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { ActionButton } from '#components/action-button.tsx';
import { Cell, Head, Row, Table } from '#components/ui/table.tsx';
import { When } from '#components/when.tsx';
import type { NotificationRow } from '#lib/notifications/list.ts';
import { wordValues } from '#lib/notifications/words.ts';
import type { Locale } from '#lib/values/locale.ts';
import { readNotification } from './actions.ts';
import { ThingLink } from './thing-link.tsx';

export async function NotificationTable({
  rows,
  now,
}: {
  rows: NotificationRow[];
  now: string;
}): Promise<ReactNode> {
  const t = await getTranslations('notifications');
  return (
    <Table
      caption={t('caption')}
      head={
        <>
          <Head>{t('columns.what')}</Head>
          <Head>{t('columns.at')}</Head>
          <Head>
            <span className="sr-only">{t('columns.action')}</span>
          </Head>
        </>
      }
    >
      {rows.map((row) => (
        <Line key={row.id} row={row} now={now} />
      ))}
    </Table>
  );
}

const DOT = 'mt-1.5 size-2 shrink-0 rounded-full';

async function Line({ row, now }: { row: NotificationRow; now: string }): Promise<ReactNode> {
  const t = await getTranslations('notifications');
  const values = wordValues(row.detail, (await getLocale()) as Locale);
  const title = t(`kinds.${row.kind}.title`, values);
  return (
    <Row>
      <Cell first>
        <span className="flex items-start gap-2.5">
          <span aria-hidden className={`${DOT} ${row.isRead ? '' : 'bg-accent'}`} />
          <span className="min-w-0 wrap-anywhere">
            {!row.isRead && <span className="sr-only">{t('new')}: </span>}
            <ThingLink id={row.id} href={row.href} isRead={row.isRead}>
              {title}
            </ThingLink>
            <span className="block text-label text-muted">
              {t(`kinds.${row.kind}.text`, values)}
            </span>
          </span>
        </span>
      </Cell>
      <Cell label={t('columns.at')}>
        <When at={row.at} now={now} />
      </Cell>
      <Cell whole>
        {!row.isRead && (
          <ActionButton
            action={readNotification}
            fields={{ id: row.id }}
            look="ghost"
            label={t('readOne', { title })}
          >
            {t('read')}
          </ActionButton>
        )}
      </Cell>
    </Row>
  );
}
