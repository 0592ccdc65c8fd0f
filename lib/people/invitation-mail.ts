import 'server-only';
import { createTranslator } from 'use-intl/core';
import type { Role } from '#lib/access/actor.ts';
import { formatMoment } from '#lib/values/dates.ts';
import { LOCALES } from '#lib/values/locale.ts';
import type { Locale } from '#lib/values/locale.ts';
import enPeople from '../../messages/en/people.json' with { type: 'json' };
import enShell from '../../messages/en/shell.json' with { type: 'json' };
import trPeople from '../../messages/tr/people.json' with { type: 'json' };
import trShell from '../../messages/tr/shell.json' with { type: 'json' };

const PEOPLE = { tr: trPeople, en: enPeople };
const SHELL = { tr: trShell, en: enShell };

/** `by`: the name of who invites; `expiresAt` in ISO. */
export type MailedInvitation = { by: string; role: Role; expiresAt: string };

/**
 * The mail to an invited address, in both languages, Turkish first. It holds no token: the address
 * of the sign-in is the same for everybody, and the role belongs to whoever signs in at the
 * provider's login with this e-mail address.
 */
export function invitationMail(
  { by, role, expiresAt }: MailedInvitation,
  { origin, zone }: { origin: string; zone: string },
): { subject: string; text: string } {
  const parts = LOCALES.map((locale) => {
    const t = wordsOf(locale);
    const name = SHELL[locale].roles[role];
    return [
      t('invitationMail.intro', { by, role: name }),
      '',
      t('invitationMail.how'),
      `${origin}/login`,
      '',
      t('invitationMail.until', { at: formatMoment(expiresAt, locale, zone) }),
      t('invitationMail.unknown'),
    ].join('\n');
  });
  return {
    subject: wordsOf('tr')('invitationMail.subject'),
    text: `${parts.join('\n\n———\n\n')}\n`,
  };
}

function wordsOf(locale: Locale): ReturnType<typeof createTranslator<typeof trPeople>> {
  return createTranslator({ locale, messages: PEOPLE[locale] });
}
