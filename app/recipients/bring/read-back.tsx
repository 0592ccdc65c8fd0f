import { getLocale, getTimeZone, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { KeepLooking } from '#app/reports/exports/keep-looking.tsx';
import { Banner } from '#components/ui/banner.tsx';
import type { Coverage } from '#lib/provider-records/coverage.ts';
import { readBackTo } from '#lib/provider-records/read-back.ts';
import { BRING_DAYS } from '#lib/recipients/bring.ts';
import { formatDate } from '#lib/values/dates.ts';
import type { DayRange } from '#lib/values/dates.ts';
import type { Locale } from '#lib/values/locale.ts';

/** How far back the provider's requests are read; the page follows while days are missing. */
export async function ReadBack({
  days,
  coverage: { missing, problem },
}: {
  days: DayRange;
  coverage: Coverage;
}): Promise<ReactNode> {
  const t = await getTranslations('bringRecipients.read');
  const [locale, zone] = [(await getLocale()) as Locale, await getTimeZone()];
  const back = readBackTo(days, missing);
  const day = back === null ? '' : formatDate(back, locale, { zone, long: true });
  if (missing.length === 0)
    return <p className="text-label text-muted">{t('all', { days: BRING_DAYS, day })}</p>;
  const title = back === null ? t('noneTitle') : t('partTitle', { day });
  if (problem !== null)
    return (
      <Banner tone="attention" title={title}>
        {t('problem', { count: problem.days.length })}
      </Banner>
    );
  return (
    <>
      <KeepLooking />
      <Banner tone="progress" title={title}>
        {t('part', { count: missing.length })}
      </Banner>
    </>
  );
}
