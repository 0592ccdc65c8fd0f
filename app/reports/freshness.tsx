import { getLocale, getTimeZone, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { KeepLooking } from '#app/reports/exports/keep-looking.tsx';
import { Banner } from '#components/ui/banner.tsx';
import { formatDate } from '#lib/values/dates.ts';
import type { Locale } from '#lib/values/locale.ts';
import type { Coverage } from '#lib/provider-records/coverage.ts';
import type { RecordList } from '#lib/provider-records/list.ts';
import { When } from '#components/when.tsx';

/**
 * Source and time of a report over the provider's records, and which of its days are missing. Needs
 * no messages of its report.
 */
export async function Freshness({
  list = 'ledger',
  coverage: { missing, unfinished, problem, asOf, complete, readSoFar },
  now,
}: {
  list?: RecordList;
  coverage: Coverage;
  now: string;
}): Promise<ReactNode> {
  const t = await getTranslations('reports.freshness');
  const [locale, zone] = [(await getLocale()) as Locale, await getTimeZone()];
  const days = (all: readonly string[]): string =>
    [...new Set([all[0]!, all.at(-1)!])]
      .map((day) => formatDate(day, locale, { zone }))
      .join(' – ');
  if (problem !== null) {
    return (
      <Banner
        tone="attention"
        title={t('problem', { count: problem.days.length, days: days(problem.days) })}
      >
        {t('problemText')}{' '}
        {asOf !== null && (
          <>
            {t('asOf')} <When at={asOf} now={now} seconds />
          </>
        )}
      </Banner>
    );
  }
  if (missing.length > 0) {
    return (
      <>
        <KeepLooking />
        <Banner
          tone="progress"
          title={t('missing', { count: missing.length, days: days(missing) })}
        >
          {t('missingText', { count: readSoFar })}
        </Banner>
      </>
    );
  }
  return (
    <p className="text-label text-muted">
      {t(`${list}.${complete ? 'complete' : 'source'}`)}{' '}
      {unfinished.length > 0 &&
        `${t('unfinished', { count: unfinished.length, days: days(unfinished) })} `}
      {asOf !== null && (
        <>
          {t('asOf')} <When at={asOf} now={now} seconds />
        </>
      )}
    </p>
  );
}
