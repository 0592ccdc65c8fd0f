import { getTranslations } from 'next-intl/server';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Remaining time in words: days and hours; minutes in the last hour. */
export async function leftWords(leftMs: number): Promise<string> {
  const t = await getTranslations('cards.holds');
  if (leftMs < HOUR_MS)
    return t('minutes', { minutes: Math.max(0, Math.floor(leftMs / MINUTE_MS)) });
  return t('left', {
    days: Math.floor(leftMs / DAY_MS),
    hours: Math.floor((leftMs % DAY_MS) / HOUR_MS),
  });
}
