import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { Forbidden } from '#app/refused-page.tsx';
import { LiveChanges } from '#app/live-changes.tsx';
import { EmptyState, PageHead, Panel } from '#components/ui/panel.tsx';
import { may } from '#lib/access/actor.ts';
import { signedIn } from '#lib/login/session.ts';
import { listWaiting } from '#lib/waiting/list.ts';
import { WaitingTable } from './waiting-table.tsx';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('waiting'))('title') };
}

/** Everything that one person has asked for and that a second person has to confirm. */
export default async function WaitingPage(): Promise<ReactNode> {
  const person = await signedIn();
  if (!may(person.role, 'movement.read'))
    return <Forbidden person={person} needs="movement.read" />;
  const items = await listWaiting(person);
  const t = await getTranslations('waiting');
  const own = items.filter(({ viewer }) => viewer === 'may_confirm');
  const others = items.filter(({ viewer }) => viewer !== 'may_confirm');
  return (
    <>
      <PageHead title={t('title')}>
        <LiveChanges kinds={['movement', 'card', 'person', 'policy', 'sending']} />
      </PageHead>
      {items.length === 0 ? (
        <Panel list>
          <EmptyState title={t('empty.title')}>{t('empty.text')}</EmptyState>
        </Panel>
      ) : (
        <>
          {own.length > 0 && (
            <Panel list title={t('forYou', { count: own.length })}>
              <WaitingTable items={own} caption={t('forYouCaption')} />
            </Panel>
          )}
          {others.length > 0 && (
            <Panel list title={t('forOthers', { count: others.length })}>
              <WaitingTable items={others} caption={t('forOthersCaption')} />
            </Panel>
          )}
        </>
      )}
    </>
  );
}
