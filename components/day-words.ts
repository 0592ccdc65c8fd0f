import { getLocale, getTranslations } from 'next-intl/server';
import type { Locale } from '#lib/values/locale.ts';
import type { DayWords } from './day-input.tsx';

/** Returns the locale and the texts of the person's language for a `DayInput`. */
export async function dayWords(): Promise<DayWords> {
  const t = await getTranslations('common.days');
  return { locale: (await getLocale()) as Locale, wrong: t('wrong'), pick: t('pick') };
}
