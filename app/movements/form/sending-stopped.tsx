import { getLocale, getTimeZone, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { Banner } from '#components/ui/banner.tsx';
import type { Person } from '#lib/access/actor.ts';
import { formatDateTime } from '#lib/values/dates.ts';
import type { Locale } from '#lib/values/locale.ts';
import type { KindName } from '#lib/movements/kinds.ts';
import type { Stop } from '#lib/send-control/stops.ts';
import { viewStop } from '#lib/send-control/view.ts';

type Words = Awaited<ReturnType<typeof getTranslations<'sending'>>>;

/**
 * Says, before the form is filled in, that what is prepared now waits until sending resumes.
 * `kinds`: those that the form can make; a stop of only some of them names its kind.
 */
export async function SendingStopped({
  person,
  kinds,
}: {
  person: Person;
  kinds: readonly [KindName, ...KindName[]];
}): Promise<ReactNode> {
  const found = await Promise.all(
    kinds.map(async (kind) => ({ kind, stop: await viewStop(person, kind) })),
  );
  const stops = found.flatMap(({ kind, stop }) => (stop === null ? [] : [{ kind, stop }]));
  const t = await getTranslations('sending');
  const isOfAll = kinds.length === 1 || stops.every(({ stop }) => stop.kind === 'all');
  const banners = (isOfAll ? stops.slice(0, 1) : stops).map(async ({ kind, stop }) => (
    <Banner
      key={kind}
      tone="attention"
      title={isOfAll ? t('form.title') : t('form.titleOf', { kind: t(`kinds.${kind}`) })}
    >
      <p>{await causeOf(stop, t)}</p>
      <p>{t('form.text')}</p>
    </Banner>
  ));
  return Promise.all(banners);
}

async function causeOf({ cause, since, by, reason }: Stop, t: Words): Promise<string> {
  const at = formatDateTime(since, (await getLocale()) as Locale, { zone: await getTimeZone() });
  return t(`held.${cause}`, { by: by ?? '', at, reason });
}
