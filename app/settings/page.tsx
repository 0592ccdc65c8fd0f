import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { HeldSends } from '#app/movements/held-sends.tsx';
import { LanguageChoice, ShortcutsChoice, ThemeChoice } from '#app/preference-choices.tsx';
import { LinkButton } from '#components/ui/button.tsx';
import { PageHead, Panel } from '#components/ui/panel.tsx';
import { may } from '#lib/access/actor.ts';
import { listOwnSessions, signedIn } from '#lib/login/session.ts';
import { viewNotificationSettings } from '#lib/notifications/choices.ts';
import { viewPushSettings } from '#lib/notifications/push/devices.ts';
import { viewDismissedOnboarding } from '#lib/onboarding/view.ts';
import { listOwnDeputyships } from '#lib/people/deputies.ts';
import { viewRecovery } from '#lib/send-control/recovery/view.ts';
import { viewHeldSends } from '#lib/send-control/list-held.ts';
import { viewSending } from '#lib/send-control/view.ts';
import { Deputyships } from './deputyships.tsx';
import { FirstSteps } from './first-steps.tsx';
import { Notifications } from './notifications.tsx';
import { PushDevices } from './push-devices.tsx';
import { Recovery } from './recovery.tsx';
import { Sending } from './sending.tsx';
import { Sessions } from './sessions.tsx';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('settings'))('title') };
}

export default async function SettingsPage(): Promise<ReactNode> {
  const person = await signedIn();
  const [sessions, sending, recovery, held, dismissed, told, push, deputyships] = await Promise.all(
    [
      listOwnSessions(person),
      viewSending(person),
      viewRecovery(person),
      viewHeldSends(person),
      viewDismissedOnboarding(person),
      viewNotificationSettings(person),
      viewPushSettings(person),
      listOwnDeputyships(person),
    ],
  );
  const t = await getTranslations('settings');
  return (
    <>
      <PageHead title={t('title')} />
      <Sending sending={sending} person={person} />
      {recovery && <Recovery recovery={recovery} inControl={may(person.role, 'sending.control')} />}
      <HeldSends {...held} />
      <Deputyships rows={deputyships} />
      <Sessions sessions={sessions} />
      <Passkeys />
      <Notifications settings={told} />
      <PushDevices settings={push} />
      <ThisBrowser />
      <FirstSteps dismissed={dismissed} />
    </>
  );
}

async function Passkeys(): Promise<ReactNode> {
  const t = await getTranslations('passkeys');
  return (
    <Panel title={t('title')}>
      <div className="grid justify-items-start gap-3 px-4 py-3">
        <p className="max-w-prose text-body text-muted">{t('text')}</p>
        <LinkButton href="/settings/passkeys">{t('manage')}</LinkButton>
      </div>
    </Panel>
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
