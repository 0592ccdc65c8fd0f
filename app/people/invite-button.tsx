import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { ConfirmButton } from '#components/confirm-button.tsx';
import { ROLES } from '#lib/access/actor.ts';
import { STOP_REASON_MAX } from '#lib/form-fields/stop-reason.ts';
import { INVITATION_DAYS, invitationNeedsTwo } from '#lib/people/rules.ts';
import { invitePersonNow } from './actions.ts';
import { RoleField, TypedField } from './fields.tsx';
import { roleOptions } from './role-options.ts';

const EMAIL_MAX = 254;

export async function InviteButton({ alone }: { alone: boolean }): Promise<ReactNode> {
  const t = await getTranslations('people.invite');
  const options = await roleOptions(ROLES, (role) => !alone && invitationNeedsTwo(role));
  return (
    <ConfirmButton
      action={invitePersonNow}
      fields={{}}
      look="primary"
      words={{ open: t('open'), title: t('title'), confirm: t('confirm'), keep: t('keep') }}
    >
      <p className="text-label text-muted">{t('text', { days: INVITATION_DAYS })}</p>
      <TypedField name="email" label={t('email')} hint={t('emailHint')} max={EMAIL_MAX} email />
      <RoleField label={t('role')} options={options} />
      <TypedField name="reason" label={t('reason')} max={STOP_REASON_MAX} />
    </ConfirmButton>
  );
}
