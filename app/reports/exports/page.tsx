import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { Forbidden } from '#app/refused-page.tsx';
import { ReportTabs } from '#app/reports/tabs.tsx';
import { LinkButton } from '#components/ui/button.tsx';
import { EmptyState, PageHead, Panel } from '#components/ui/panel.tsx';
import { Head, Table, TableNote } from '#components/ui/table.tsx';
import { may } from '#lib/access/actor.ts';
import { listExports } from '#lib/exports/list.ts';
import { signedIn } from '#lib/login/session.ts';
import { ExportLine } from './export-line.tsx';
import { KeepLooking } from './keep-looking.tsx';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('exports'))('title') };
}

export default async function ExportsPage(): Promise<ReactNode> {
  const person = await signedIn();
  if (!may(person.role, 'export.make')) return <Forbidden person={person} needs="export.make" />;
  const { rows, isCut, now } = await listExports(person);
  const t = await getTranslations('exports');
  return (
    <>
      <PageHead title={t('title')} />
      <ReportTabs role={person.role} current="exports" />
      {rows.some((row) => row.state === 'MAKING') && <KeepLooking />}
      <Panel list>
        {rows.length === 0 ? (
          <EmptyState
            title={t('empty.title')}
            actions={<LinkButton href="/payouts">{t('empty.payouts')}</LinkButton>}
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
                <Head numeric>{t('table.rows')}</Head>
                <Head>
                  <span className="sr-only">{t('table.action')}</span>
                </Head>
              </>
            }
          >
            {rows.map((row) => (
              <ExportLine key={row.id} row={row} now={now} />
            ))}
          </Table>
        )}
        {isCut && <TableNote>{t('cut', { count: rows.length })}</TableNote>}
      </Panel>
    </>
  );
}
