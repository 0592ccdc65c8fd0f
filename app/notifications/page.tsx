import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { ActionButton } from '#components/action-button.tsx';
import { ListPager } from '#components/list-pager.tsx';
import { LiveChanges } from '#app/live-changes.tsx';
import { LinkButton } from '#components/ui/button.tsx';
import { EmptyState, PageHead, Panel } from '#components/ui/panel.tsx';
import { Tab, Tabs } from '#components/ui/table.tsx';
import { signedIn } from '#lib/login/session.ts';
import {
  NOTIFICATION_VIEWS,
  notificationParams,
  readNotificationQuery,
} from '#lib/notifications/filter.ts';
import { listNotifications } from '#lib/notifications/list.ts';
import type { NotificationPage } from '#lib/notifications/list.ts';
import { addressOf } from '#lib/values/keyset.ts';
import { readAllNotifications } from './actions.ts';
import { NotificationTable } from './notification-table.tsx';

const PATH = '/notifications';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('notifications'))('title') };
}

/** What this person was told. Every role has this page: each list holds the person's own alone. */
export default async function NotificationsPage({
  searchParams,
}: PageProps<'/notifications'>): Promise<ReactNode> {
  const person = await signedIn();
  const query = readNotificationQuery(await searchParams);
  const page = await listNotifications(person, query);
  const t = await getTranslations('notifications');
  const address = (place: NotificationPage['newer']): string | null =>
    place && `${PATH}${addressOf(notificationParams(query.view), place)}`;
  return (
    <>
      <PageHead title={t('title')}>
        <LiveChanges kinds={['notification']} ids={[person.personId]} />
        {page.counts.unread > 0 && (
          <ActionButton action={readAllNotifications} fields={{ until: page.until }}>
            {t('readAll')}
          </ActionButton>
        )}
        <LinkButton href="/settings#notifications" prefetch={false}>
          {t('settings')}
        </LinkButton>
      </PageHead>
      <Tabs label={t('viewsLabel')}>
        {NOTIFICATION_VIEWS.map((view) => (
          <Tab
            key={view}
            href={`${PATH}${addressOf(notificationParams(view))}`}
            current={view === query.view}
          >
            {t(`views.${view}`)}
            <span className="text-label text-muted tabular-nums">{page.counts[view]}</span>
          </Tab>
        ))}
      </Tabs>
      <Panel list>
        {page.rows.length > 0 ? (
          <NotificationTable rows={page.rows} now={page.now} />
        ) : page.counts.all > 0 ? (
          <EmptyState title={t('emptyUnread')} />
        ) : (
          <EmptyState title={t('empty.title')}>{t('empty.text')}</EmptyState>
        )}
        {(page.newer !== null || page.older !== null) && (
          <ListPager previous={address(page.newer)} next={address(page.older)} />
        )}
      </Panel>
    </>
  );
}
