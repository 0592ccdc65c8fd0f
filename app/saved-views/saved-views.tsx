import { getTimeZone, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import type { Person } from '#lib/access/actor.ts';
import { openedAddress, PERIODS } from '#lib/saved-views/address.ts';
import { listViews } from '#lib/saved-views/list.ts';
import type { ViewList } from '#lib/saved-views/lists.ts';
import { ViewTabs } from './view-tabs.tsx';

/**
 * A person's saved views of a list as tabs, and a way to save the present one. `path` is the list's
 * page; the rest is in its address.
 */
export async function SavedViews({
  person,
  list,
  path,
}: {
  person: Person;
  list: ViewList;
  path: string;
}): Promise<ReactNode> {
  const [views, zone, now] = [
    await listViews(person, list),
    await getTimeZone(),
    new Date().toISOString(),
  ];
  const t = await getTranslations('views');
  const days = await getTranslations('common.days');
  return (
    <ViewTabs
      list={list}
      path={path}
      now={now}
      zone={zone}
      views={views.map(({ id, name, address }) => ({
        id,
        name,
        search: openedAddress(address, now, zone),
      }))}
      words={{
        label: t('label'),
        save: t('save'),
        rename: t('rename'),
        remove: t('remove'),
        removeOne: t.raw('removeOne') as string,
        undo: t('undo'),
        undoOne: t.raw('undoOne') as string,
        name: t('name'),
        moving: t.raw('moving') as string,
        which: t('which'),
        fixed: t('fixed'),
        periods: PERIODS.map((period) => ({ period, text: days(period) })),
        close: t('close'),
      }}
    />
  );
}
