import { getTimeZone, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { dayIn, periodDays } from '#lib/values/dates.ts';
import { DayFields } from './day-fields.tsx';
import { dayWords } from './day-words.ts';

const PRESETS = ['today', 'yesterday', 'thisWeek', 'thisMonth', 'lastMonth', 'last30'] as const;

/**
 * The filter fields for a range of days in the workspace's time zone, both days included, with a
 * list of usual ranges. `bounded`: the list always has a range.
 */
export async function DayRange({
  id,
  from,
  to,
  bounded = false,
}: {
  id: string;
  from: string | null;
  to: string | null;
  bounded?: boolean;
}): Promise<ReactNode> {
  const t = await getTranslations('common');
  const days = await getTranslations('common.days');
  const zone = await getTimeZone();
  const now = new Date().toISOString();
  return (
    <DayFields
      id={id}
      from={from}
      to={to}
      today={dayIn(now, zone)}
      presets={PRESETS.map((name) => ({
        name,
        text: days(name),
        ...periodDays({ kind: name }, now, zone),
      }))}
      words={{
        from: t('from'),
        to: t('to'),
        range: days('range'),
        all: bounded ? null : days('all'),
        typed: days('typed'),
        day: await dayWords(),
      }}
    />
  );
}
