import { getLocale, getTranslations } from 'next-intl/server';
import type { Locale } from '#lib/values/locale.ts';
import type { DayWords } from './day-input.tsx';

/** What a `DayInput` needs of the person's language. */
export async function dayWords(): Promise<DayWords> {
  const t = await getTranslations('common.days');
  return { locale: (await getLocale()) as Locale, wrong: t('wrong'), pick: t('pick') };
}
