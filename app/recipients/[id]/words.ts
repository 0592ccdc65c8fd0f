import { getLocale, getTimeZone } from 'next-intl/server';
import { formatDateTime } from '#lib/values/dates.ts';
import type { Locale } from '#lib/values/locale.ts';

/** Person and time of an act, as values for a sentence. */
export async function byWhom({
  at,
  by,
}: {
  at: string;
  by: string;
}): Promise<{ at: string; by: string }> {
  return {
    at: formatDateTime(at, (await getLocale()) as Locale, { zone: await getTimeZone() }),
    by,
  };
}
