import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { ConfirmButton } from '#components/confirm-button.tsx';
import { Banner } from '#components/ui/banner.tsx';
import { LinkButton } from '#components/ui/button.tsx';
import { Panel } from '#components/ui/panel.tsx';
import { ROLES } from '#lib/access/actor.ts';
import type { Role } from '#lib/access/actor.ts';
import { STOP_REASON_MAX } from '#lib/form-fields/stop-reason.ts';
import { needsTwo, takesConfirming } from '#lib/people/rules.ts';
import type { PersonChange } from '#lib/people/rules.ts';
import type { PersonView } from '#lib/people/view.ts';
import { changePersonNow } from '../actions.ts';
import { RoleField, TickField, TypedField } from '../fields.tsx';
import { roleOptions } from '../role-options.ts';

/** What an owner may change about a person; nothing for other roles. */
export async function PersonChanges({ view }: { view: PersonView }): Promise<ReactNode> {
  const t = await getTranslations('people.one');
  if (view.self)
    return (
      <Panel title={t('changes')}>
        <p className="max-w-prose px-4 py-3 text-muted">{t('ownText')}</p>
      </Panel>
    );
  if (!view.can.manage) return null;
  return (
    <Panel title={t('changes')}>
      <div className="grid gap-3 px-4 py-3">
        <p className="max-w-prose text-muted">{t(view.alone ? 'changesAlone' : 'changesText')}</p>
        {view.ends.lastSecond && <LastSecond view={view} />}
        <div className="flex flex-wrap items-center gap-3">
          <RoleButton view={view} />
          {!view.ends.lastSecond && <StateButton view={view} />}
        </div>
      </div>
    </Panel>
  );
}

/** Why this person keeps access, what to do instead, and what to do at once in an emergency. */
async function LastSecond({ view: { name } }: { view: PersonView }): Promise<ReactNode> {
  const t = await getTranslations('people.one.lastSecond');
  return (
    <Banner
      tone="attention"
      title={t('title', { name })}
      actions={
        <>
          <LinkButton href="/people">{t('invite')}</LinkButton>
          <LinkButton href="/settings#sending">{t('sending')}</LinkButton>
        </>
      }
    >
      <p>{t('instead', { name })}</p>
      <p>{t('emergency')}</p>
    </Banner>
  );
}

async function RoleButton({ view }: { view: PersonView }): Promise<ReactNode> {
  const t = await getTranslations('people.one');
  const options = await roleOptions(
    ROLES.filter(
      (role) =>
        role !== view.role && !(view.ends.lastSecond && takesConfirming(view.role, toRole(role))),
    ),
    (role) => !view.alone && needsTwo(view.role, toRole(role)),
  );
  return (
    <ConfirmButton
      key={view.role}
      action={changePersonNow}
      fields={{ id: view.id, change: 'role' }}
      words={{
        open: t('role'),
        title: t('roleTitle', { name: view.name }),
        confirm: t('roleConfirm'),
        keep: t('keep'),
      }}
    >
      <RoleField label={t('roleField')} options={options} />
      {view.ends.deputyships.length > 0 && (
        <p className="text-label">
          {t('roleDeputyships', { count: view.ends.deputyships.length })}
        </p>
      )}
      <TypedField name="reason" label={t('reason')} max={STOP_REASON_MAX} />
    </ConfirmButton>
  );
}

function toRole(role: Role): PersonChange {
  return { kind: 'role', role };
}

/** One component for both directions, so that the result stays beside the button that replaced it. */
async function StateButton({ view }: { view: PersonView }): Promise<ReactNode> {
  const t = await getTranslations('people.one');
  const change = view.disabledAt === null ? 'disable' : 'enable';
  const isEnding = change === 'disable' && view.ends.approvals + view.ends.deputyships.length > 0;
  return (
    <ConfirmButton
      action={changePersonNow}
      fields={{ id: view.id, change, ...(isEnding && { ends: 'yes' }) }}
      look={change === 'disable' ? 'danger' : 'secondary'}
      confirmLook={change === 'disable' ? 'danger' : 'primary'}
      words={{
        open: t(`${change}.open`),
        title: t(`${change}.title`, { name: view.name }),
        confirm: t(`${change}.confirm`),
        keep: t('keep'),
      }}
    >
      <p className="text-label">
        {change === 'disable'
          ? t('disable.text', { sessions: view.openSessions })
          : t(view.alone ? 'enable.textAlone' : 'enable.text')}
      </p>
      {change === 'disable' && view.notLeft > 0 && (
        <p className="text-label text-muted">{t('disable.notLeft', { count: view.notLeft })}</p>
      )}
      {isEnding && <Ending view={view} />}
      <TypedField name="reason" label={t('reason')} max={STOP_REASON_MAX} />
    </ConfirmButton>
  );
}

/** What ends with the access, to be ticked. */
async function Ending({ view: { ends } }: { view: PersonView }): Promise<ReactNode> {
  const t = await getTranslations('people.one.ends');
  return (
    <div className="grid gap-2 rounded-control bg-attention-ground px-3 py-2 text-attention">
      <p className="font-semibold">{t('title')}</p>
      <ul className="list-disc pl-5 text-label">
        {ends.approvals > 0 && <li>{t('approvals', { count: ends.approvals })}</li>}
        {ends.deputyships.map(({ person, deputy }) => (
          <li key={`${person} ${deputy}`}>{t('deputyship', { person, deputy })}</li>
        ))}
      </ul>
      <TickField name="understood" label={t('understood')} />
    </div>
  );
}
