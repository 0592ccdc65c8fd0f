import type { Metadata } from 'next';
import { getLocale, getTimeZone, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { ColumnChoice } from '#app/list-columns/column-choice.tsx';
import { Forbidden } from '#app/refused-page.tsx';
import { SavedViews } from '#app/saved-views/saved-views.tsx';
import { DayRange } from '#components/day-range.tsx';
import { ActiveFilters, NothingFound, SearchField } from '#components/filter-fields.tsx';
import { FilterForm } from '#components/filter-form.tsx';
import { ListSums } from '#components/list-sums.tsx';
import type { ListSum } from '#components/list-sums.tsx';
import { ListPager } from '#components/list-pager.tsx';
import { knownSums } from '#components/known-sums.ts';
import { LiveChanges } from '#app/live-changes.tsx';
import { Button, LinkButton } from '#components/ui/button.tsx';
import { Field, Select } from '#components/ui/field.tsx';
import { EmptyState, PageHead, Panel } from '#components/ui/panel.tsx';
import { Tab, Tabs } from '#components/ui/table.tsx';
import { may } from '#lib/access/actor.ts';
import { TEXT_MAX, CARD_PARTS, CARD_SOURCES, CARD_VIEWS } from '#lib/cards/payments/filter.ts';
import { cardParams, partsOf, readCardQuery } from '#lib/cards/payments/filter.ts';
import type { CardFilter } from '#lib/cards/payments/filter.ts';
import { listCardPayments } from '#lib/cards/payments/list.ts';
import type { CardPage, CardTotal } from '#lib/cards/payments/list.ts';
import { sumsOf } from '#lib/cards/payments/totals.ts';
import { formatDate } from '#lib/values/dates.ts';
import { addressOf } from '#lib/values/keyset.ts';
import type { Locale } from '#lib/values/locale.ts';
import { hiddenColumns } from '#lib/list-columns/hidden.ts';
import { signedIn } from '#lib/login/session.ts';
import { AddPanel } from './add-panel.tsx';
import { SalesPanel } from './sales.tsx';
import { CardTable } from './card-table.tsx';

const PATH = '/cards/payments';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('cards'))('title') };
}

export default async function CardPaymentsPage({
  searchParams,
}: PageProps<'/cards/payments'>): Promise<ReactNode> {
  const person = await signedIn();
  if (!may(person.role, 'card.read')) return <Forbidden person={person} needs="card.read" />;
  const query = readCardQuery(await searchParams);
  const [page, hidden] = await Promise.all([
    listCardPayments(person, query),
    hiddenColumns(person, 'card_payments'),
  ]);
  const t = await getTranslations('cards');
  const address = (place: CardPage['newer']): string | null =>
    place === null ? null : `${PATH}${addressOf(cardParams(query.filter), place)}`;
  const { coverage } = page;
  const any = coverage.known > 0;
  const count = page.totals.reduce((all, total) => all + total.count, 0);
  return (
    <>
      <PageHead title={t('title')} live={<LiveChanges kinds={['card']} />}>
        {any && (
          <ColumnChoice
            list="card_payments"
            hidden={hidden}
            words={{ card: t('columns.card'), verified: t('columns.verified') }}
            phone={false}
          />
        )}
        {may(person.role, 'card.charge') && (
          <>
            <LinkButton href="/cards/links">{t('links')}</LinkButton>
            <LinkButton href="/cards/payments/new" look="primary" data-shortcut="new">
              {t('take')}
            </LinkButton>
          </>
        )}
      </PageHead>
      {any && <Known coverage={coverage} />}
      {any && <SalesPanel person={person} filter={query.filter} now={page.now} />}
      {any && <CardTabs filter={query.filter} attention={page.attention} />}
      {any && <SavedViews person={person} list="card_payments" path={PATH} />}
      {any && <Filters filter={query.filter} />}
      <Panel list>
        {page.rows.length > 0 ? (
          <CardTable rows={page.rows} now={page.now} hidden={hidden} />
        ) : (
          <NoPayments any={any} mayReadNotices={may(person.role, 'notice.read')} />
        )}
        {any && (
          <ListPager previous={address(page.newer)} next={address(page.older)}>
            <ListSums
              about={t('totalsLabel')}
              count={t('totals', { count })}
              parts={await partSums(page.totals, query.filter)}
            />
          </ListPager>
        )}
      </Panel>
      {may(person.role, 'card.add') && <AddPanel now={page.now} open={!any} />}
    </>
  );
}

/** How many payments are known, and from where: the gateway lists none. */
async function Known({ coverage }: { coverage: CardPage['coverage'] }): Promise<ReactNode> {
  const t = await getTranslations('cards');
  return (
    <p className="text-muted">
      {t('coverage', {
        known: coverage.known,
        notices: coverage.fromNotices,
        byHand: coverage.byHand,
        madeHere: coverage.madeHere,
        unverified: coverage.unverified,
      })}
    </p>
  );
}

/**
 * The parts that occur, each with a link to its own rows; before them the sum of the group that the
 * list shows. An unknown amount is never a zero.
 */
async function partSums(totals: readonly CardTotal[], filter: CardFilter): Promise<ListSum[]> {
  const t = await getTranslations('cards');
  const locale = (await getLocale()) as Locale;
  const group = filter.part !== null && partsOf(filter.part).length > 1 ? [filter.part] : [];
  return [...group, ...CARD_PARTS].flatMap((part) => {
    const own = sumsOf(totals, part);
    if (own.length === 0) return [];
    return {
      label: t(`parts.${part}`),
      href: filter.part === part ? null : `${PATH}${addressOf(cardParams({ ...filter, part }))}`,
      sums: knownSums(own, locale, (count) => t('unknownAmounts', { count })),
    };
  });
}

async function NoPayments({
  any,
  mayReadNotices,
}: {
  any: boolean;
  mayReadNotices: boolean;
}): Promise<ReactNode> {
  const t = await getTranslations('cards');
  return any ? (
    <NothingFound title={t('emptyFilter')} clear={PATH} />
  ) : (
    <EmptyState
      title={t('empty.title')}
      actions={
        mayReadNotices ? <LinkButton href="/webhooks">{t('empty.webhooks')}</LinkButton> : undefined
      }
    >
      {t('empty.text')}
    </EmptyState>
  );
}

async function CardTabs({
  filter,
  attention,
}: {
  filter: CardFilter;
  attention: number;
}): Promise<ReactNode> {
  const t = await getTranslations('cards');
  return (
    <Tabs label={t('title')}>
      {CARD_VIEWS.map((view) => (
        <Tab
          key={view}
          href={`${PATH}${addressOf(cardParams({ ...filter, view, part: null }))}`}
          current={view === filter.view}
          waiting={view === 'attention' ? attention : 0}
        >
          {t(`views.${view}`)}
        </Tab>
      ))}
    </Tabs>
  );
}

/** Each filter as a sentence; its address is the list without that filter. */
async function filterChips(filter: CardFilter): Promise<{ text: string; href: string }[]> {
  const t = await getTranslations('cards');
  const locale = (await getLocale()) as Locale;
  const zone = await getTimeZone();
  const day = (text: string): string => formatDate(text, locale, { zone });
  const without = (part: Partial<CardFilter>): string =>
    `${PATH}${addressOf(cardParams({ ...filter, ...part }))}`;
  return [
    ...(filter.text === ''
      ? []
      : [{ text: t('chips.text', { text: filter.text }), href: without({ text: '' }) }]),
    ...(filter.part === null
      ? []
      : [
          {
            text: t('chips.part', { part: t(`parts.${filter.part}`) }),
            href: without({ part: null }),
          },
        ]),
    ...(filter.source === null
      ? []
      : [{ text: t(`sources.${filter.source}`), href: without({ source: null }) }]),
    ...(filter.from === null
      ? []
      : [{ text: t('chips.from', { day: day(filter.from) }), href: without({ from: null }) }]),
    ...(filter.to === null
      ? []
      : [{ text: t('chips.to', { day: day(filter.to) }), href: without({ to: null }) }]),
  ];
}

async function Filters({ filter }: { filter: CardFilter }): Promise<ReactNode> {
  const t = await getTranslations('cards');
  const common = await getTranslations('common');
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
        {filter.part !== null && <input type="hidden" name="part" value={filter.part} />}
        <SearchField id="cards-q" label={t('search')} value={filter.text} max={TEXT_MAX} />
        <div className="col-span-2 sm:w-48">
          <Field id="cards-source" label={t('source')}>
            <Select id="cards-source" name="source" defaultValue={filter.source ?? ''}>
              <option value="">{t('anySource')}</option>
              {CARD_SOURCES.map((source) => (
                <option key={source} value={source}>
                  {t(`sources.${source}`)}
                </option>
              ))}
            </Select>
          </Field>
        </div>
        <DayRange id="cards" from={filter.from} to={filter.to} />
        <Button type="submit" className="col-span-2">
          {common('apply')}
        </Button>
      </FilterForm>
      <ActiveFilters chips={await filterChips(filter)} clear={PATH} />
    </div>
  );
}
