import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { Forbidden } from '#app/refused-page.tsx';
import { LiveChanges } from '#app/live-changes.tsx';
import { PageHead, Panel } from '#components/ui/panel.tsx';
import { may } from '#lib/access/actor.ts';
import { signedIn } from '#lib/login/session.ts';
import { listDeputies } from '#lib/people/deputies.ts';
import { listInvitations } from '#lib/people/invitations.ts';
import { listPeople } from '#lib/people/list.ts';
import { listWaitingChanges } from '#lib/people/waiting.ts';
import { PeopleTabs } from './tabs.tsx';
import { WaitingChanges } from './waiting-changes.tsx';
import { DeputiesPanel } from './deputies.tsx';
import { InvitationTable } from './invitation-table.tsx';
import { InviteButton } from './invite-button.tsx';
import { PersonTable } from './person-table.tsx';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('people'))('title') };
}

export default async function PeoplePage(): Promise<ReactNode> {
  const person = await signedIn();
  if (!may(person.role, 'people.read')) return <Forbidden person={person} needs="people.read" />;
  const [people, invitations, deputies, waiting] = await Promise.all([
    listPeople(person),
    listInvitations(person),
    listDeputies(person),
    listWaitingChanges(person),
  ]);
  const t = await getTranslations('people');
  return (
    <>
      <PageHead title={t('title')}>
        <LiveChanges kinds={['person']} />
        {invitations.can.invite && <InviteButton alone={invitations.alone} />}
      </PageHead>
      <PeopleTabs current="list" />
      <WaitingChanges changes={waiting} linked />
      <Panel list>
        <p className="px-4 pt-3 pb-1 text-muted">{t('text')}</p>
        <PersonTable people={people} />
      </Panel>
      <DeputiesPanel deputies={deputies} />
      <InvitationTable rows={invitations.rows} />
    </>
  );
}
