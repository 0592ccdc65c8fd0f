import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { Forbidden } from '#app/refused-page.tsx';
import { ActiveFilters, ChoiceField, NothingFound } from '#components/filter-fields.tsx';
import { FilterForm } from '#components/filter-form.tsx';
import { Button } from '#components/ui/button.tsx';
import { EmptyState, PageHead, Panel } from '#components/ui/panel.tsx';
import { may } from '#lib/access/actor.ts';
import { signedIn } from '#lib/login/session.ts';
import { listRequests } from '#lib/programs/api/requests.ts';
import { listKeys } from '#lib/programs/keys/list.ts';
import { readFailed, readRequestFilter } from '#lib/programs/filter.ts';
import { addressOf } from '#lib/values/keyset.ts';
import { LivePrograms } from '../live-programs.tsx';
import { DeveloperTabs } from '../tabs.tsx';
import { RequestTable } from './request-table.tsx';

const PATH = '/developers/requests';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('developers.tabs'))('requests') };
}

export default async function RequestsPage({
  searchParams,
}: PageProps<'/developers/requests'>): Promise<ReactNode> {
  const person = await signedIn();
  if (!may(person.role, 'api.read')) return <Forbidden person={person} needs="api.read" />;
  const filter = readRequestFilter(await searchParams);
  const [rows, keys] = await Promise.all([listRequests(person, filter), listKeys(person)]);
  const t = await getTranslations('developers.requests');
  const common = await getTranslations('common');
  const isFiltered = filter.failed || filter.keyId !== null;
  const named = keys.rows.find(({ id }) => id === filter.keyId)?.name ?? '–';
  const shown = readFailed(filter.failed);
  const chips = [
    ...(filter.failed
      ? [{ text: t('chipFailed'), href: `${PATH}${addressOf({ key: filter.keyId })}` }]
      : []),
    ...(filter.keyId !== null
      ? [{ text: t('chipKey', { name: named }), href: `${PATH}${addressOf({ show: shown })}` }]
      : []),
  ];
  return (
    <>
      <PageHead title={t('caption')}>
        <LivePrograms />
      </PageHead>
      <DeveloperTabs current="requests" />
      <p className="max-w-prose text-muted">{t('intro')}</p>
      {(isFiltered || rows.length > 0) && (
        <FilterForm
          key={JSON.stringify(filter)}
          action={PATH}
          label={t('filter')}
          className="grid grid-cols-2 items-end gap-3 sm:flex sm:flex-wrap"
        >
          <ChoiceField
            id="requests-show"
            name="show"
            label={t('show')}
            value={shown}
            options={[{ value: 'failed', text: t('failed') }]}
          />
          <ChoiceField
            id="requests-key"
            name="key"
            label={t('key')}
            value={filter.keyId}
            options={keys.rows.map(({ id, name }) => ({ value: id, text: name }))}
          />
          <Button type="submit">{common('apply')}</Button>
        </FilterForm>
      )}
      <ActiveFilters chips={chips} />
      <Panel list>
        {rows.length > 0 ? (
          <RequestTable rows={rows} />
        ) : isFiltered ? (
          <NothingFound title={t('emptyFilter')} clear={PATH} />
        ) : (
          <EmptyState title={t('empty')}>{t('emptyText')}</EmptyState>
        )}
      </Panel>
    </>
  );
}
