import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { DayRange } from '#components/day-range.tsx';
import { ActiveFilters, NothingFound, SearchField } from '#components/filter-fields.tsx';
import { FilterForm } from '#components/filter-form.tsx';
import { BackToBatch } from '#app/batches/back-to-batch.tsx';
import { Forbidden } from '#app/refused-page.tsx';
import { SavedViews } from '#app/saved-views/saved-views.tsx';
import { ListPager } from '#components/list-pager.tsx';
import { LiveChanges } from '#app/live-changes.tsx';
import { Button, LinkButton } from '#components/ui/button.tsx';
import { EmptyState, PageHead, Panel } from '#components/ui/panel.tsx';
import { Tab, Tabs } from '#components/ui/table.tsx';
import { may } from '#lib/access/actor.ts';
import { addressOf } from '#lib/values/keyset.ts';
import { RECEIPT_VIEWS, readReceiptQuery, receiptParams } from '#lib/receipts/filter.ts';
import type { ReceiptFilter } from '#lib/receipts/filter.ts';
import { listReceipts } from '#lib/receipts/list.ts';
import type { ReceiptPage } from '#lib/receipts/list.ts';
import { signedIn } from '#lib/login/session.ts';
import { receiptChips } from './filter-words.ts';
import { PickBar } from './pick-bar.tsx';
import { ReceiptTable } from './receipt-table.tsx';

const PATH = '/receipts';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('receipts'))('title') };
}

export default async function ReceiptsPage({
  searchParams,
}: PageProps<'/receipts'>): Promise<ReactNode> {
  const person = await signedIn();
  if (!may(person.role, 'receipt.read')) return <Forbidden person={person} needs="receipt.read" />;
  const query = readReceiptQuery(await searchParams);
  const page = await listReceipts(person, query);
  const t = await getTranslations('receipts');
  const all = page.counts.ready + page.counts.waiting + page.counts.failed;
  const mayTake = may(person.role, 'export.make');
  const takeAll = `/receipts/archives/new${addressOf(receiptParams(query.filter))}`;
  return (
    <>
      <BackToBatch person={person} id={query.filter.batch} />
      <PageHead title={t('title')}>
        <LiveChanges kinds={['receipt', 'movement']} />
        {mayTake && (
          <LinkButton href="/receipts/archives" look="ghost">
            {t('archives.title')}
          </LinkButton>
        )}
        {mayTake && all > 0 && (
          <LinkButton href={takeAll} data-shortcut="export">
            {t('archives.takeAll')}
          </LinkButton>
        )}
      </PageHead>
      <ReceiptTabs filter={query.filter} counts={page.counts} />
      <SavedViews person={person} list="receipts" path={PATH} />
      <Filters filter={query.filter} />
      <Panel list>
        {page.rows.length === 0 ? (
          <NoReceipts any={all > 0} />
        ) : (
          <ReceiptTable
            rows={page.rows}
            now={page.now}
            filter={query.filter}
            mayAsk={may(person.role, 'movement.ask')}
            mayPick={mayTake}
          />
        )}
        {all > 0 && <ReceiptPages page={page} filter={query.filter} all={all} />}
      </Panel>
      {mayTake && page.rows.length > 0 && (
        <PickBar
          action="/receipts/archives/new"
          fields={receiptParams(query.filter)}
          takeAll={takeAll}
          drawn={page.rows.map(({ id }) => id).join(' ')}
          words={{
            label: t('pick.label'),
            counted: t.raw('pick.counted') as string,
            take: t('pick.take'),
            all: t('pick.all'),
            none: t('pick.none'),
          }}
        />
      )}
    </>
  );
}

async function NoReceipts({ any }: { any: boolean }): Promise<ReactNode> {
  const t = await getTranslations('receipts');
  return any ? (
    <NothingFound title={t('emptyFilter')} clear={PATH} />
  ) : (
    <EmptyState
      title={t('empty.title')}
      actions={<LinkButton href="/payouts">{t('empty.payouts')}</LinkButton>}
    >
      {t('empty.text')}
    </EmptyState>
  );
}

/** The pages before and after, and how many of the receipts are ready. */
async function ReceiptPages({
  page,
  filter,
  all,
}: {
  page: ReceiptPage;
  filter: ReceiptFilter;
  all: number;
}): Promise<ReactNode> {
  const t = await getTranslations('receipts');
  const address = (place: ReceiptPage['newer']): string | null =>
    place === null ? null : `${PATH}${addressOf(receiptParams(filter), place)}`;
  return (
    <ListPager previous={address(page.newer)} next={address(page.older)}>
      <span className="flex items-center gap-3 whitespace-nowrap tabular-nums">
        <progress
          className="bar max-w-24 min-w-16"
          value={page.counts.ready}
          max={all}
          aria-hidden
        />
        {t('meter', { ready: page.counts.ready, all })}
      </span>
    </ListPager>
  );
}

async function ReceiptTabs({
  filter,
  counts,
}: {
  filter: ReceiptFilter;
  counts: ReceiptPage['counts'];
}): Promise<ReactNode> {
  const t = await getTranslations('receipts');
  return (
    <Tabs label={t('title')}>
      {RECEIPT_VIEWS.map((view) => (
        <Tab
          key={view}
          href={`${PATH}${addressOf(receiptParams({ ...filter, view }))}`}
          current={view === filter.view}
          waiting={view !== 'all' && view !== 'ready' ? counts[view] : 0}
        >
          {t(`views.${view}`)}
        </Tab>
      ))}
    </Tabs>
  );
}

async function Filters({ filter }: { filter: ReceiptFilter }): Promise<ReactNode> {
  const t = await getTranslations('receipts');
  const common = await getTranslations('common');
  const chips = await receiptChips(filter);
  return (
    <div className="grid gap-3">
      <FilterForm
        key={JSON.stringify(filter)}
        action={PATH}
        label={t('filter')}
        className="grid grid-cols-2 items-end gap-3 sm:flex sm:flex-wrap"
        fold={common('filters')}
      >
        {filter.view !== 'all' && <input type="hidden" name="view" value={filter.view} />}
        {filter.batch !== null && <input type="hidden" name="batch" value={filter.batch} />}
        <SearchField id="receipts-q" label={t('search')} value={filter.text} />
        <DayRange id="receipts" from={filter.from} to={filter.to} />
        <Button type="submit" className="col-span-2">
          {common('apply')}
        </Button>
      </FilterForm>
      <ActiveFilters
        chips={chips.map(({ words, without }) => ({
          text: words,
          href: `${PATH}${addressOf(receiptParams(without))}`,
        }))}
        clear={PATH}
      />
    </div>
  );
}
