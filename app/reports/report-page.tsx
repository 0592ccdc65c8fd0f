import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { Freshness } from '#app/reports/freshness.tsx';
import { ReportTabs } from '#app/reports/tabs.tsx';
import { SavedViews } from '#app/saved-views/saved-views.tsx';
import { NothingFound } from '#components/filter-fields.tsx';
import { LiveChanges } from '#components/live.tsx';
import { Messages } from '#components/messages.tsx';
import { LinkButton } from '#components/ui/button.tsx';
import { EmptyState, PageHead, Panel } from '#components/ui/panel.tsx';
import { may } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import type { Coverage } from '#lib/provider-records/coverage.ts';
import type { RecordList } from '#lib/provider-records/list.ts';

/**
 * A report over a listing of the provider: its filters, how fresh it is, a page of its rows or why
 * there are none, and its sums. `address` is the query string of the filter.
 */
export async function ReportPage({
  person,
  report,
  words,
  path,
  address,
  records,
  coverage,
  now,
  filters,
  rows,
  isFirst,
  sums,
}: {
  person: Person;
  report: 'transactions' | 'withdrawals';
  words: Record<'title' | 'empty' | 'emptyText' | 'emptyPage', string>;
  path: string;
  address: string;
  records: RecordList;
  coverage: Coverage;
  now: string;
  filters: ReactNode;
  /** Null when the page has none. */
  rows: ReactNode;
  /** A later page without rows has lost them; the first one never had any. */
  isFirst: boolean;
  sums: ReactNode;
}): Promise<ReactNode> {
  const t = await getTranslations('reports');
  return (
    <>
      <PageHead title={words.title}>
        <Messages of={['live']}>
          <LiveChanges kinds={['records']} />
        </Messages>
        {may(person.role, 'export.make') && (
          <LinkButton href={`${path}/export${address}`} prefetch={false} data-shortcut="export">
            {t('export')}
          </LinkButton>
        )}
      </PageHead>
      <ReportTabs role={person.role} current={report} />
      <SavedViews person={person} list={report} path={path} />
      {filters}
      <Freshness list={records} coverage={coverage} now={now} />
      <Panel>
        {rows ??
          (isFirst ? (
            <NothingFound title={words.empty} clear={path}>
              {coverage.missing.length > 0 ? t('emptyMissing') : words.emptyText}
            </NothingFound>
          ) : (
            <EmptyState
              title={words.emptyPage}
              actions={<LinkButton href={`${path}${address}`}>{t('firstPage')}</LinkButton>}
            />
          ))}
        <div className="border-t border-hairline">{sums}</div>
      </Panel>
    </>
  );
}
