import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { Forbidden } from '#app/refused-page.tsx';
import { MessageArea } from '#components/message-area.tsx';
import { EmptyState, PageHead, Panel } from '#components/ui/panel.tsx';
import { may } from '#lib/access/actor.ts';
import { signedIn } from '#lib/login/session.ts';
import { listKeys } from '#lib/programs/keys/list.ts';
import { walletNames } from '#lib/wallets/names.ts';
import { LivePrograms } from './live-programs.tsx';
import { DeveloperTabs } from './tabs.tsx';
import { KeyTable } from './key-table.tsx';
import { MakeKey } from './make-key.tsx';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('developers'))('title') };
}

export default async function DevelopersPage(): Promise<ReactNode> {
  const person = await signedIn();
  if (!may(person.role, 'api.read')) return <Forbidden person={person} needs="api.read" />;
  const [keys, wallets] = await Promise.all([listKeys(person), walletNames(person)]);
  const t = await getTranslations('developers');
  return (
    <>
      <PageHead title={t('title')}>
        <LivePrograms />
        {keys.can.make && <MakeKey alone={keys.alone} wallets={wallets} />}
      </PageHead>
      <DeveloperTabs current="keys" />
      <Panel list>
        <p className="max-w-prose px-4 pt-3 pb-1 text-muted">{t('keys.intro')}</p>
        <MessageArea>
          {keys.rows.length === 0 ? (
            <EmptyState title={t('keys.empty')}>
              {t(keys.can.make ? 'keys.emptyText' : 'keys.emptyOthers')}
            </EmptyState>
          ) : (
            <KeyTable rows={keys.rows} />
          )}
        </MessageArea>
      </Panel>
    </>
  );
}
