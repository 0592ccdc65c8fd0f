import { getLocale, getTranslations } from 'next-intl/server';
import type { LimitView } from '#lib/people/limit-view.ts';
import type { Locale } from '#lib/values/locale.ts';
import { formatMoney } from '#lib/values/money.ts';

/** A limit as the values of a sentence about it. */
export async function limitWords({
  currency,
  single,
  day,
}: LimitView): Promise<Record<string, string>> {
  const t = await getTranslations('people.limits');
  const locale = (await getLocale()) as Locale;
  const words = (text: string | null): string =>
    text === null ? t('none') : formatMoney(text, currency, locale);
  return { currency, single: words(single), day: words(day) };
}
