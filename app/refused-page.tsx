import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { LinkButton } from '#components/ui/button.tsx';
import { EmptyState } from '#components/ui/panel.tsx';
import type { Permission, Person } from '#lib/access/actor.ts';
import { noteNotAllowed } from '#lib/audit/note-not-allowed.ts';

/**
 * The page that a role may not see: the refusal is shown and audited. The verbs behind the page
 * check the role themselves.
 */
export async function Forbidden({
  person,
  needs,
}: {
  person: Person;
  needs: Permission;
}): Promise<ReactNode> {
  await noteNotAllowed(person, needs);
  const t = await getTranslations('common.forbidden');
  const role = (await getTranslations('shell'))(`roles.${person.role}`);
  return (
    <EmptyState
      title={<h1>{t('title')}</h1>}
      actions={<LinkButton href="/">{t('home')}</LinkButton>}
    >
      {t('text', { role })}
    </EmptyState>
  );
}
