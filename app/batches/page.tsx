import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { LiveChanges } from '#app/live-changes.tsx';
import { Forbidden } from '#app/refused-page.tsx';
import { ListPager } from '#components/list-pager.tsx';
import { LinkButton } from '#components/ui/button.tsx';
import { Link } from '#components/ui/link.tsx';
import { EmptyState, PageHead, Panel } from '#components/ui/panel.tsx';
import { Pill } from '#components/ui/pill.tsx';
import { Cell, Head, Row, Table } from '#components/ui/table.tsx';
import { When } from '#components/when.tsx';
import { may } from '#lib/access/actor.ts';
import { listBatches, readBatchPlace } from '#lib/batches/draft/list.ts';
import type { ListedBatch } from '#lib/batches/draft/list.ts';
import { RunPhasePill } from './[id]/run/phase-pill.tsx';
import { signedIn } from '#lib/login/session.ts';
import { addressOf } from '#lib/values/keyset.ts';
import type { Place } from '#lib/values/keyset.ts';

const PATH = '/batches';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('batches'))('title') };
}

export default async function BatchesPage({
  searchParams,
}: PageProps<'/batches'>): Promise<ReactNode> {
  const person = await signedIn();
  if (!may(person.role, 'movement.read'))
    return <Forbidden person={person} needs="movement.read" />;
  const place = readBatchPlace(await searchParams);
  const { rows, newer, older, now } = await listBatches(person, place);
  if (place !== null && rows.length === 0) redirect(PATH);
  const address = (at: Place | null): string | null => at && `${PATH}${addressOf({}, at)}`;
  const t = await getTranslations('batches');
  const upload = may(person.role, 'payout.prepare') && (
    <LinkButton look="primary" href="/batches/new" prefetch={false} data-shortcut="new">
      {t('new')}
    </LinkButton>
  );
  return (
    <>
      <PageHead title={t('title')}>
        <LiveChanges kinds={['batch']} />
        {rows.length > 0 && upload}
      </PageHead>
      <Panel list>
        {rows.length === 0 ? (
          <EmptyState title={t('list.empty.title')} actions={upload}>
            {t('list.empty.text')}
          </EmptyState>
        ) : (
          <Table
            caption={t('list.caption')}
            head={
              <>
                <Head>{t('list.columns.name')}</Head>
                <Head>{t('list.columns.wallet')}</Head>
                <Head>{t('list.columns.maker')}</Head>
                <Head>{t('list.columns.at')}</Head>
                <Head>{t('list.columns.state')}</Head>
              </>
            }
          >
            {rows.map((row) => (
              <BatchLine key={row.id} row={row} now={now} />
            ))}
          </Table>
        )}
        {(newer !== null || older !== null) && (
          <ListPager previous={address(newer)} next={address(older)} />
        )}
      </Panel>
    </>
  );
}

async function BatchLine({ row, now }: { row: ListedBatch; now: string }): Promise<ReactNode> {
  const t = await getTranslations('batches.list');
  return (
    <Row>
      <Cell first>
        <Link
          href={`/batches/${row.id}`}
          className="font-medium wrap-anywhere text-accent hover:underline"
        >
          {row.name === '' ? t('paste') : row.name}
        </Link>
        {row.origin && <span className="block text-label text-muted">{t(row.origin)}</span>}
      </Cell>
      <Cell label={t('columns.wallet')}>
        <span className="font-mono text-mono">{row.wallet}</span>
      </Cell>
      <Cell label={t('columns.maker')}>
        <span>{row.isOwn ? t('you') : row.maker}</span>
      </Cell>
      <Cell label={t('columns.at')}>
        <When at={row.createdAt} now={now} />
      </Cell>
      <Cell label={t('columns.state')}>
        {row.phase === null ? (
          <Pill tone="draft">{t(`states.${row.state}`)}</Pill>
        ) : (
          <RunPhasePill phase={row.phase} isOpen={(row.progress?.open ?? 0) > 0} />
        )}
        {row.progress !== null && (
          <span className="block text-label text-muted tabular-nums">
            {t('progress', { done: row.progress.completed, all: row.progress.rows })}
          </span>
        )}
      </Cell>
    </Row>
  );
}
