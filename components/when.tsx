import { getLocale, getTimeZone } from 'next-intl/server';
import type { ReactNode } from 'react';
import { dayIn, formatDate, formatDateTime, isoInZone } from '#lib/values/dates.ts';
import type { Locale } from '#lib/values/locale.ts';

/**
 * A time in the workspace's zone, rendered on the server; the exact form appears on hover. With
 * `now`, a time today is shown without its date, except on paper.
 */
export async function When({
  at,
  now,
  seconds = false,
}: {
  at: string;
  now?: string;
  seconds?: boolean;
}): Promise<ReactNode> {
  const zone = await getTimeZone();
  const locale = (await getLocale()) as Locale;
  const isToday = now !== undefined && dayIn(now, zone) === dayIn(at, zone);
  const text = formatDateTime(at, locale, {
    zone,
    seconds,
    ...(now === undefined ? {} : { now }),
  });
  return (
    <time
      dateTime={at}
      data-day={isToday ? formatDate(at, locale, { zone }) : undefined}
      title={isoInZone(at, zone)}
      className="whitespace-nowrap tabular-nums"
    >
      {text}
    </time>
  );
}
