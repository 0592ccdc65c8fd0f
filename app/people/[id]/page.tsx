import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { notFound } from 'next/navigation';
import { cache } from 'react';
import type { ReactNode } from 'react';
import { Forbidden } from '#app/refused-page.tsx';
import { BackLink } from '#components/back-link.tsx';
import { drawnText } from '#components/drawn.ts';
import { LiveChanges } from '#app/live-changes.tsx';
import { PageHead } from '#components/ui/panel.tsx';
import { may } from '#lib/access/actor.ts';
import { currentPerson, signedIn } from '#lib/login/session.ts';
import { viewPerson } from '#lib/people/view.ts';
import type { PersonView } from '#lib/people/view.ts';
import { UUID } from '#lib/values/uuid.ts';
import { WaitingChanges } from '../waiting-changes.tsx';
import { PersonChanges } from './person-changes.tsx';
import { PersonFacts } from './person-facts.tsx';
import { PersonLimits } from './person-limits.tsx';
import { PersonSessions } from './person-sessions.tsx';

/** Another merchant's person and a person who never existed give the same answer. */
const readPerson = cache(async (id: string): Promise<PersonView | null> => {
  const actor = await currentPerson();
  return actor && UUID.test(id) && may(actor.role, 'people.read') ? viewPerson(actor, id) : null;
});

export async function generateMetadata({ params }: PageProps<'/people/[id]'>): Promise<Metadata> {
  const view = await readPerson((await params).id);
  return view ? { title: drawnText(view.name) } : {};
}

export default async function PersonPage({
  params,
}: PageProps<'/people/[id]'>): Promise<ReactNode> {
  const actor = await signedIn();
  if (!may(actor.role, 'people.read')) return <Forbidden person={actor} needs="people.read" />;
  const view = await readPerson((await params).id);
  if (!view) notFound();
  const t = await getTranslations('people');
  return (
    <>
      <BackLink href="/people">{t('title')}</BackLink>
      <PageHead title={view.name}>
        <LiveChanges kinds={['person']} ids={[view.id]} />
      </PageHead>
      <WaitingChanges changes={view.waiting} />
      <PersonFacts view={view} hasTrail={may(actor.role, 'audit.read')} />
      <PersonChanges view={view} />
      <PersonLimits view={view} />
      {view.sessions !== null && <PersonSessions view={view} sessions={view.sessions} />}
    </>
  );
}
