import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { Forbidden } from '#app/refused-page.tsx';
import { LiveChanges } from '#app/live-changes.tsx';
import { FileButton, LinkButton } from '#components/ui/button.tsx';
import { Link } from '#components/ui/link.tsx';
import { EmptyState, PageHead, Panel } from '#components/ui/panel.tsx';
import { Cell, Head, Row, Table, TableNote } from '#components/ui/table.tsx';
import { When } from '#components/when.tsx';
import { may } from '#lib/access/actor.ts';
import { listArchives } from '#lib/receipts/archives/view.ts';
import type { ArchiveRow } from '#lib/receipts/archives/view.ts';
import { signedIn } from '#lib/login/session.ts';
import { ArchiveMeter, ArchiveState } from './archive-meter.tsx';
import { archiveChoice } from './archive-words.ts';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('receipts.archives'))('title') };
}

export default async function ArchivesPage(): Promise<ReactNode> {
  const person = await signedIn();
  if (!may(person.role, 'receipt.read') || !may(person.role, 'export.make'))
    return <Forbidden person={person} needs="export.make" />;
  const { rows, isCut, now } = await listArchives(person);
  const t = await getTranslations('receipts.archives');
  return (
    <>
      <PageHead title={t('title')}>
        {rows.some((row) => row.counts.ready < row.asked) && <LiveChanges kinds={['receipt']} />}
        <LinkButton href="/receipts">{t('back')}</LinkButton>
      </PageHead>
      <Panel list>
        {rows.length === 0 ? (
          <EmptyState
            title={t('empty.title')}
            actions={<LinkButton href="/receipts">{t('back')}</LinkButton>}
          >
            {t('empty.text')}
          </EmptyState>
        ) : (
          <Table
            caption={t('caption')}
            head={
              <>
                <Head>{t('table.what')}</Head>
                <Head>{t('table.asked')}</Head>
                <Head>{t('table.state')}</Head>
                <Head>{t('table.meter')}</Head>
                <Head>
                  <span className="sr-only">{t('table.action')}</span>
                </Head>
              </>
            }
          >
            {rows.map((row) => (
              <ArchiveLine key={row.id} row={row} now={now} />
            ))}
          </Table>
        )}
        {isCut && <TableNote>{t('cut', { count: rows.length })}</TableNote>}
      </Panel>
    </>
  );
}

async function ArchiveLine({ row, now }: { row: ArchiveRow; now: string }): Promise<ReactNode> {
  const t = await getTranslations('receipts.archives');
  const words = await archiveChoice(row);
  const name = words.length === 0 ? t('everything') : words.join(' · ');
  return (
    <Row>
      <Cell first>
        <Link
          href={`/receipts/archives/${row.id}`}
          className="font-medium text-accent hover:underline"
        >
          {name}
        </Link>
        <span className="block text-label text-muted">{t(`fileTypes.${row.fileType}.name`)}</span>
      </Cell>
      <Cell label={t('table.asked')}>
        <When at={row.createdAt} now={now} />
      </Cell>
      <Cell label={t('table.state')}>
        <ArchiveState counts={row.counts} asked={row.asked} />
      </Cell>
      <Cell label={t('table.meter')}>
        <ArchiveMeter counts={row.counts} asked={row.asked} />
      </Cell>
      <Cell numeric>
        <FileButton
          href={`/receipts/archives/${row.id}/file`}
          download
          aria-label={t('downloadOne', { name })}
        >
          {t('download')}
        </FileButton>
      </Cell>
    </Row>
  );
}
