import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { Freshness } from '#app/reports/freshness.tsx';
import { ReportTabs } from '#app/reports/tabs.tsx';
import { SavedViews } from '#app/saved-views/saved-views.tsx';
import { NothingFound } from '#components/filter-fields.tsx';
import { LiveChanges } from '#app/live-changes.tsx';
import { LinkButton } from '#components/ui/button.tsx';
import { EmptyState, PageHead, Panel } from '#components/ui/panel.tsx';
import { may } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import type { LiveKind } from '#lib/live/kinds.ts';
import type { Coverage } from '#lib/provider-records/coverage.ts';
import type { RecordList } from '#lib/provider-records/list.ts';

type ReportWords = Record<'title' | 'empty' | 'emptyText' | 'emptyPage', string>;

type Props = {
  person: Person;
  report: 'transactions' | 'withdrawals';
  words: ReportWords;
  path: string;
  address: string;
  records: RecordList;
  /** The changes that the page follows. */
  kinds: readonly LiveKind[];
  coverage: Coverage;
  now: string;
  filters: ReactNode;
  /** The filter's rows by day; nothing without rows. */
  chart: ReactNode;
  /** Null when the page has no rows. */
  rows: ReactNode;
  /**
   * Whether this is the first page. A first page without rows means that nothing was found; a later
   * one means that its rows are gone.
   */
  isFirst: boolean;
  sums: ReactNode;
  /** The choice of the columns. */
  columns: ReactNode;
};

/**
 * A report over a listing of the provider: its filters, how fresh it is, its chart, a page of its
 * rows or why there are none, and its sums. `address` is the query string of the filter.
 */
export async function ReportPage({
  person,
  report,
  words,
  path,
  address,
  records,
  kinds,
  coverage,
  now,
  filters,
  chart,
  rows,
  isFirst,
  sums,
  columns,
}: Props): Promise<ReactNode> {
  const t = await getTranslations('reports');
  return (
    <>
      <PageHead title={words.title}>
        <LiveChanges kinds={kinds} />
        {columns}
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
      {chart}
      <Panel list>
        {rows ?? (
          <NoRows
            isFirst={isFirst}
            words={words}
            path={path}
            address={address}
            missing={coverage.missing.length}
          />
        )}
        <div className="border-t border-hairline">{sums}</div>
      </Panel>
    </>
  );
}

async function NoRows({
  isFirst,
  words,
  path,
  address,
  missing,
}: {
  isFirst: boolean;
  words: ReportWords;
  path: string;
  address: string;
  /** How many days are not read. */
  missing: number;
}): Promise<ReactNode> {
  const t = await getTranslations('reports');
  return isFirst ? (
    <NothingFound title={words.empty} clear={path}>
      {missing > 0 ? t('emptyMissing') : words.emptyText}
    </NothingFound>
  ) : (
    <EmptyState
      title={words.emptyPage}
      actions={<LinkButton href={`${path}${address}`}>{t('firstPage')}</LinkButton>}
    />
  );
}
