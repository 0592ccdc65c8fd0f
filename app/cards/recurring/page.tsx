import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { AddForm } from '#app/cards/payments/add-form.tsx';
import { Forbidden } from '#app/refused-page.tsx';
import { SavedViews } from '#app/saved-views/saved-views.tsx';
import { ActiveFilters, NothingFound, SearchField } from '#components/filter-fields.tsx';
import { FilterForm } from '#components/filter-form.tsx';
import { ListPager } from '#components/list-pager.tsx';
import { LiveChanges } from '#app/live-changes.tsx';
import { Button } from '#components/ui/button.tsx';
import { EmptyState, PageHead, Panel } from '#components/ui/panel.tsx';
import { Tab, Tabs } from '#components/ui/table.tsx';
import { may } from '#lib/access/actor.ts';
import { addressOf } from '#lib/values/keyset.ts';
import { TEXT_MAX, PLAN_VIEWS, planParams, readPlanQuery } from '#lib/cards/recurring/filter.ts';
import type { PlanFilter } from '#lib/cards/recurring/filter.ts';
import { listPlans } from '#lib/cards/recurring/list.ts';
import type { PlanPage } from '#lib/cards/recurring/list.ts';
import { signedIn } from '#lib/login/session.ts';
import { addPlanCodes } from './actions.ts';
import { PlanTable } from './plan-table.tsx';

const PATH = '/cards/recurring';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('recurring'))('title') };
}

export default async function PlansPage({
  searchParams,
}: PageProps<'/cards/recurring'>): Promise<ReactNode> {
  const person = await signedIn();
  if (!may(person.role, 'card.read')) return <Forbidden person={person} needs="card.read" />;
  const query = readPlanQuery(await searchParams);
  const page = await listPlans(person, query);
  const t = await getTranslations('recurring');
  const address = (place: PlanPage['newer']): string | null =>
    place === null ? null : `${PATH}${addressOf(planParams(query.filter), place)}`;
  const any = page.known > 0;
  return (
    <>
      <PageHead title={t('title')}>
        <LiveChanges kinds={['card']} />
      </PageHead>
      {any && <p className="max-w-prose text-muted">{t('known', { known: page.known })}</p>}
      {any && <PlanTabs filter={query.filter} attention={page.attention} />}
      {any && <SavedViews person={person} list="recurring" path={PATH} />}
      {any && <Search filter={query.filter} />}
      <Panel list>
        {page.rows.length > 0 ? (
          <PlanTable rows={page.rows} now={page.now} />
        ) : any ? (
          <NothingFound title={t('emptyFilter')} clear={PATH} />
        ) : (
          <EmptyState title={t('empty.title')}>{t('empty.text')}</EmptyState>
        )}
        {(page.newer !== null || page.older !== null) && (
          <ListPager previous={address(page.newer)} next={address(page.older)} />
        )}
      </Panel>
      {may(person.role, 'card.add') && <AddPlans open={!any} />}
    </>
  );
}

async function PlanTabs({
  filter,
  attention,
}: {
  filter: PlanFilter;
  attention: number;
}): Promise<ReactNode> {
  const t = await getTranslations('recurring');
  return (
    <Tabs label={t('title')}>
      {PLAN_VIEWS.map((view) => (
        <Tab
          key={view}
          href={`${PATH}${addressOf(planParams({ ...filter, view }))}`}
          current={view === filter.view}
          waiting={view === 'attention' ? attention : 0}
        >
          {t(`views.${view}`)}
        </Tab>
      ))}
    </Tabs>
  );
}

async function Search({ filter }: { filter: PlanFilter }): Promise<ReactNode> {
  const t = await getTranslations('recurring');
  const common = await getTranslations('common');
  const words = t('chips.text', { text: filter.text });
  return (
    <div className="grid gap-3">
      <FilterForm
        key={JSON.stringify(filter)}
        action={PATH}
        label={t('filter')}
        className="grid grid-cols-2 items-end gap-3 sm:flex sm:flex-wrap"
      >
        {filter.view !== 'all' && <input type="hidden" name="view" value={filter.view} />}
        <SearchField id="plans-q" label={t('search')} value={filter.text} max={TEXT_MAX} />
        <Button type="submit" className="col-span-2">
          {common('apply')}
        </Button>
      </FilterForm>
      <ActiveFilters
        chips={
          filter.text === ''
            ? []
            : [
                {
                  text: words,
                  href: `${PATH}${addressOf(planParams({ ...filter, text: '' }))}`,
                },
              ]
        }
      />
    </div>
  );
}

async function AddPlans({ open }: { open: boolean }): Promise<ReactNode> {
  const t = await getTranslations('recurring.add');
  return (
    <details open={open} className="no-print rounded-panel border border-hairline bg-surface">
      <summary className="px-4 py-2.5 text-section font-semibold">{t('title')}</summary>
      <div className="border-t border-hairline px-4 py-3">
        <AddForm
          action={addPlanCodes}
          words={{ label: t('label'), hint: t('hint'), button: t('button') }}
        />
      </div>
    </details>
  );
}
