import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { Link } from '#components/ui/link.tsx';
import { Fact, Facts, Panel } from '#components/ui/panel.tsx';
import { When } from '#components/when.tsx';
import type { PersonView } from '#lib/people/view.ts';
import { PersonState } from '../person-state.tsx';

export async function PersonFacts({
  view,
  hasTrail,
}: {
  view: PersonView;
  hasTrail: boolean;
}): Promise<ReactNode> {
  const t = await getTranslations('people');
  const roles = await getTranslations('shell.roles');
  return (
    <Panel title={t('one.facts')}>
      <Facts>
        <Fact label={t('columns.email')}>
          <span className="break-all">{view.email}</span>
        </Fact>
        <Fact label={t('columns.role')}>
          {roles(view.role)}
          <span className="block text-label text-muted">{t(`roles.${view.role}`)}</span>
        </Fact>
        <Fact label={t('columns.state')}>
          <PersonState disabled={view.disabledAt !== null} />
          {view.disabledAt !== null && (
            <span className="ml-2 text-label text-muted">
              <When at={view.disabledAt} />
            </span>
          )}
        </Fact>
        <Fact label={t('columns.lastSignIn')}>
          {view.lastSignInAt ? <When at={view.lastSignInAt} /> : t('never')}
        </Fact>
        <Fact label={t('one.since')}>
          <When at={view.since} />
        </Fact>
        <Fact label={t('one.notLeft')}>{t('one.notLeftCount', { count: view.notLeft })}</Fact>
        {hasTrail && (
          <Fact label={t('one.trail')}>
            <Link
              href={`/audit?subject=person:${view.id}`}
              className="font-medium text-accent hover:underline"
            >
              {t('one.trailOpen')}
            </Link>
          </Fact>
        )}
      </Facts>
    </Panel>
  );
}
