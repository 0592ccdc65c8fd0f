import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { BackToBatch } from '#app/batches/back-to-batch.tsx';
import { Forbidden } from '#app/refused-page.tsx';
import { ActionButton } from '#components/action-button.tsx';
import { liveWords } from '#app/live-words.ts';
import { FileButton, LinkButton } from '#components/ui/button.tsx';
import { Fact, Facts, PageHead, Panel } from '#components/ui/panel.tsx';
import { When } from '#components/when.tsx';
import { may } from '#lib/access/actor.ts';
import { viewArchive } from '#lib/receipts/archives/view.ts';
import type { ArchiveView } from '#lib/receipts/archives/view.ts';
import { pageSnapshot, signedIn } from '#lib/login/session.ts';
import { KeepCurrent } from '../../keep-current.tsx';
import { askForMissing } from '../actions.ts';
import { ArchiveMeter, ArchiveState } from '../archive-meter.tsx';
import { archiveChoice, filterOf } from '../archive-words.ts';
import { GapTable } from './gap-table.tsx';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('receipts.archives'))('one') };
}

export default async function ArchivePage({
  params,
  searchParams,
}: PageProps<'/receipts/archives/[id]'>): Promise<ReactNode> {
  const person = await signedIn();
  if (!may(person.role, 'receipt.read') || !may(person.role, 'export.make'))
    return <Forbidden person={person} needs="export.make" />;
  const { id } = await params;
  const after = Number((await searchParams)['after']);
  const archive = await viewArchive(
    person,
    id,
    Number.isSafeInteger(after) && after > 0 && after < 1e9 ? after : 0,
  );
  if (!archive) notFound();
  const t = await getTranslations('receipts.archives');
  const missing = archive.asked - archive.counts.ready;
  return (
    <>
      <BackToBatch person={person} id={filterOf(archive).batch} />
      <PageHead
        title={
          <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
            {t('one')}
            <ArchiveState counts={archive.counts} asked={archive.asked} />
          </span>
        }
      >
        {missing > 0 && <KeepCurrent since={await pageSnapshot()} words={await liveWords()} />}
        <LinkButton href="/receipts/archives" look="ghost">
          {t('title')}
        </LinkButton>
        <FileButton href={`/receipts/archives/${archive.id}/file`} download look="primary">
          {missing === 0 ? t('download') : t('downloadNow')}
        </FileButton>
      </PageHead>
      <Summary archive={archive} missing={missing} />
      {missing > 0 && <Gaps archive={archive} />}
    </>
  );
}

/** What the archive holds, how far it is, and how its files are named. */
async function Summary({
  archive,
  missing,
}: {
  archive: ArchiveView;
  missing: number;
}): Promise<ReactNode> {
  const t = await getTranslations('receipts.archives');
  const words = await archiveChoice(archive);
  return (
    <Panel>
      <Facts>
        <Fact label={t('chosen')}>
          {words.length === 0 ? (
            t('everything')
          ) : (
            <ul>
              {words.map((one) => (
                <li key={one}>{one}</li>
              ))}
            </ul>
          )}
        </Fact>
        <Fact label={t('table.asked')}>
          <When at={archive.createdAt} now={archive.now} />
        </Fact>
        <Fact label={t('table.meter')}>
          <ArchiveMeter counts={archive.counts} asked={archive.asked} />
        </Fact>
        <Fact label={t('new.file')}>{t(`fileTypes.${archive.fileType}.name`)}</Fact>
        {archive.fileType === 'zip' && (
          <Fact label={t('naming')}>
            {t(`templates.${archive.template}.name`)}
            {archive.ascii && ` · ${t('asciiShort')}`} · {t(`profiles.${archive.profile}`)}
          </Fact>
        )}
      </Facts>
      <p role="status" className="border-t border-hairline px-4 py-3 text-muted">
        {missing === 0
          ? t(archive.fileType === 'pdf' ? 'allTherePdf' : 'allThere', { count: archive.asked })
          : t(archive.fileType === 'pdf' ? 'someMissingPdf' : 'someMissing', {
              count: missing,
              waiting: archive.counts.waiting,
              failed: archive.counts.failed,
            })}
      </p>
    </Panel>
  );
}

/** The receipts that are missing, a page of them. */
async function Gaps({ archive }: { archive: ArchiveView }): Promise<ReactNode> {
  const t = await getTranslations('receipts.archives');
  return (
    <Panel
      list
      title={t('gaps.title')}
      aside={
        archive.can.ask && (
          <ActionButton action={askForMissing} fields={{ id: archive.id }} shortcut="ask">
            {t('gaps.ask')}
          </ActionButton>
        )
      }
    >
      <GapTable gaps={archive.gaps} now={archive.now} />
      {archive.more !== null && (
        <div className="border-t border-hairline px-4 py-2.5">
          <LinkButton href={`/receipts/archives/${archive.id}?after=${archive.more}`}>
            {t('gaps.more')}
          </LinkButton>
        </div>
      )}
    </Panel>
  );
}
