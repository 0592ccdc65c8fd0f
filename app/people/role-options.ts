import { getTranslations } from 'next-intl/server';
import type { Role } from '#lib/access/actor.ts';
import type { RoleOption } from './fields.tsx';

/** Roles as choices of a dialog. `needsTwo`: whether the choice waits for a second person. */
export async function roleOptions(
  roles: readonly Role[],
  needsTwo: (role: Role) => boolean,
): Promise<RoleOption[]> {
  const t = await getTranslations('people');
  const names = await getTranslations('shell.roles');
  return roles.map((role) => ({
    role,
    name: names(role),
    text: t(`roles.${role}`),
    asks: needsTwo(role) ? t('asksTwo') : '',
  }));
}
