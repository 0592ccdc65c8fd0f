import { getLocale, getTimeZone, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { Banner } from '#components/ui/banner.tsx';
import type { Person } from '#lib/access/actor.ts';
import { formatDateTime } from '#lib/values/dates.ts';
import type { Locale } from '#lib/values/locale.ts';
import type { KindName } from '#lib/movements/kinds.ts';
import { viewStop } from '#lib/send-control/view.ts';

/** Says, before the form is filled in, that what is prepared now waits until sending resumes. */
export async function SendingStopped({
  person,
  kind,
}: {
  person: Person;
  kind: KindName;
}): Promise<ReactNode> {
  const stop = await viewStop(person, kind);
  if (stop === null) return null;
  const t = await getTranslations('sending');
  const at = formatDateTime(stop.since, (await getLocale()) as Locale, {
    zone: await getTimeZone(),
  });
  return (
    <Banner tone="attention" title={t('form.title')}>
      <p>{t(`held.${stop.cause}`, { by: stop.by ?? '', at, reason: stop.reason })}</p>
      <p>{t('form.text')}</p>
    </Banner>
  );
}
