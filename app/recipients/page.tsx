import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { Forbidden } from '#app/refused-page.tsx';
import { SavedViews } from '#app/saved-views/saved-views.tsx';
import { ListPager } from '#components/list-pager.tsx';
import { LiveChanges } from '#app/live-changes.tsx';
import { ActiveFilters, NothingFound } from '#components/filter-fields.tsx';
import { FilterForm } from '#components/filter-form.tsx';
import { Button, LinkButton } from '#components/ui/button.tsx';
import { Field, TextInput } from '#components/ui/field.tsx';
import { EmptyState, PageHead, Panel } from '#components/ui/panel.tsx';
import { Tab, Tabs } from '#components/ui/table.tsx';
import { may } from '#lib/access/actor.ts';
import { addressOf } from '#lib/values/keyset.ts';
import {
  NO_RECIPIENT_FILTER,
  readRecipientQuery,
  RECIPIENT_VIEWS,
  recipientParams,
} from '#lib/recipients/filter.ts';
import type { RecipientFilter } from '#lib/recipients/filter.ts';
import { listRecipients } from '#lib/recipients/list.ts';
import type { RecipientPage } from '#lib/recipients/list.ts';
import { signedIn } from '#lib/login/session.ts';
import { RecipientTable } from './recipient-table.tsx';

const PATH = '/recipients';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('recipients'))('title') };
}

export default async function RecipientsPage({
  searchParams,
}: PageProps<'/recipients'>): Promise<ReactNode> {
  const person = await signedIn();
  if (!may(person.role, 'movement.read'))
    return <Forbidden person={person} needs="movement.read" />;
  const { filter, place } = readRecipientQuery(await searchParams);
  const page = await listRecipients(person, { filter, place });
  const t = await getTranslations('recipients');
  const mayPay = may(person.role, 'payout.prepare');
  const address = (at: RecipientPage['newer']): string | null =>
    at && `${PATH}${addressOf(recipientParams(filter), at)}`;
  return (
    <>
      <PageHead title={t('title')}>
        <LiveChanges kinds={['movement']} />
        {mayPay && <BringLink />}
      </PageHead>
      <Tabs label={t('title')}>
        {RECIPIENT_VIEWS.map((view) => (
          <Tab
            key={view}
            href={`${PATH}${addressOf(recipientParams({ ...filter, view }))}`}
            current={view === filter.view}
          >
            {t(`views.${view}`)}
            <span className="text-label text-muted tabular-nums">{page.counts[view]}</span>
          </Tab>
        ))}
      </Tabs>
      <SavedViews person={person} list="recipients" path={PATH} />
      <Filters filter={filter} />
      <Panel list>
        {page.rows.length > 0 ? (
          <RecipientTable rows={page.rows} now={page.now} filter={filter} />
        ) : (
          <Nothing filter={filter} counts={page.counts} mayPay={mayPay} />
        )}
        {(page.newer !== null || page.older !== null) && (
          <ListPager previous={address(page.newer)} next={address(page.older)} />
        )}
      </Panel>
    </>
  );
}

async function BringLink(): Promise<ReactNode> {
  const t = await getTranslations('bringRecipients');
  return (
    <LinkButton href="/recipients/bring" prefetch={false}>
      {t('open')}
    </LinkButton>
  );
}

async function Filters({ filter }: { filter: RecipientFilter }): Promise<ReactNode> {
  const t = await getTranslations('recipients');
  const common = await getTranslations('common');
  const { view, sort } = recipientParams(filter);
  const words = t('chips.text', { text: filter.text });
  return (
    <div className="grid gap-3">
      <FilterForm
        key={JSON.stringify(filter)}
        action={PATH}
        label={t('filter')}
        className="flex flex-wrap items-end gap-3"
      >
        {view !== null && <input type="hidden" name="view" value={view} />}
        {sort !== null && <input type="hidden" name="sort" value={sort} />}
        <div className="min-w-0 grow sm:max-w-80">
          <Field id="recipients-q" label={t('search')}>
            <TextInput
              id="recipients-q"
              name="q"
              type="search"
              defaultValue={filter.text}
              maxLength={100}
              placeholder={t('searchHint')}
              data-shortcut="filter"
              enterKeyHint="search"
              autoComplete="off"
            />
          </Field>
        </div>
        <Button type="submit">{common('apply')}</Button>
      </FilterForm>
      <ActiveFilters
        chips={
          filter.text === ''
            ? []
            : [
                {
                  text: words,
                  href: `${PATH}${addressOf(recipientParams({ ...filter, text: '' }))}`,
                },
              ]
        }
      />
    </div>
  );
}

async function Nothing({
  filter,
  counts,
  mayPay,
}: {
  filter: RecipientFilter;
  counts: RecipientPage['counts'];
  mayPay: boolean;
}): Promise<ReactNode> {
  const t = await getTranslations('recipients');
  if (filter.text !== '')
    return (
      <NothingFound
        title={t('emptyFilter')}
        clear={`${PATH}${addressOf(recipientParams({ ...NO_RECIPIENT_FILTER, view: filter.view }))}`}
      />
    );
  if (filter.view === 'archived') return <EmptyState title={t('emptyArchive')} />;
  if (counts.archived > 0) return <EmptyState title={t('emptyFilter')} />;
  return (
    <EmptyState
      title={t('empty.title')}
      actions={
        mayPay && (
          <LinkButton look="primary" href="/payouts/new" prefetch={false} data-shortcut="new">
            {t('empty.new')}
          </LinkButton>
        )
      }
    >
      {t('empty.text')}
    </EmptyState>
  );
}
