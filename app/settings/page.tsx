import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { HeldSends } from '#app/movements/held-sends.tsx';
import { LanguageChoice, ShortcutsChoice, ThemeChoice } from '#app/preference-choices.tsx';
import { PageHead, Panel } from '#components/ui/panel.tsx';
import { may } from '#lib/access/actor.ts';
import { listPeople } from '#lib/people/list.ts';
import { listOwnSessions, signedIn } from '#lib/login/session.ts';
import { viewRecovery } from '#lib/send-control/recovery/view.ts';
import { listHeldSends } from '#lib/send-control/list-held.ts';
import { viewSending } from '#lib/send-control/view.ts';
import { People } from './people.tsx';
import { Recovery } from './recovery.tsx';
import { Sending } from './sending.tsx';
import { Sessions } from './sessions.tsx';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('settings'))('title') };
}

export default async function SettingsPage(): Promise<ReactNode> {
  const person = await signedIn();
  const [sessions, sending, recovery, held, people] = await Promise.all([
    listOwnSessions(person),
    viewSending(person),
    viewRecovery(person),
    listHeldSends(person),
    may(person.role, 'people.read') ? listPeople(person) : null,
  ]);
  const t = await getTranslations('settings');
  return (
    <>
      <PageHead title={t('title')} />
      <Sending sending={sending} person={person} />
      {recovery && <Recovery recovery={recovery} inControl={may(person.role, 'sending.control')} />}
      <HeldSends held={held} />
      <Sessions sessions={sessions} />
      <ThisBrowser />
      {people && <People people={people} />}
    </>
  );
}

async function ThisBrowser(): Promise<ReactNode> {
  const t = await getTranslations('settings.browser');
  return (
    <Panel title={t('title')}>
      <div className="grid gap-4 px-4 py-3 sm:grid-cols-3">
        <div className="grid content-start gap-1">
          <p className="text-label font-medium text-muted">{t('language')}</p>
          <LanguageChoice />
        </div>
        <div className="grid content-start gap-1">
          <p className="text-label font-medium text-muted">{t('theme')}</p>
          <ThemeChoice />
        </div>
        <div className="grid content-start gap-1">
          <p className="text-label font-medium text-muted">{t('shortcuts')}</p>
          <ShortcutsChoice />
          <p className="text-label text-muted">{t('shortcutsText')}</p>
        </div>
      </div>
    </Panel>
  );
}
