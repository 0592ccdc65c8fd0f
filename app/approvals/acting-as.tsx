import { getLocale, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { Banner } from '#components/ui/banner.tsx';
import type { Person } from '#lib/access/actor.ts';
import { listOwnDeputyships } from '#lib/people/deputies.ts';
import { formatDate } from '#lib/values/dates.ts';
import type { Locale } from '#lib/values/locale.ts';

/** Says to a deputy for whom they decide, and until when; nothing for anybody else. */
export async function ActingAs({ person }: { person: Person }): Promise<ReactNode> {
  if (person.standsInFor === null) return null;
  const rows = await listOwnDeputyships(person);
  const row = rows.find(({ own, isNow }) => own === 'deputy' && isNow);
  if (row === undefined) return null;
  const t = await getTranslations('people.deputies');
  const locale = (await getLocale()) as Locale;
  return (
    <Banner
      tone="progress"
      title={t('acting', { person: row.person, last: formatDate(row.lastDay, locale) })}
    />
  );
}
