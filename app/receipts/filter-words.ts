import { getLocale, getTimeZone, getTranslations } from 'next-intl/server';
import { formatDate } from '#lib/values/dates.ts';
import type { Locale } from '#lib/values/locale.ts';
import type { ReceiptFilter } from '#lib/receipts/filter.ts';

/** Each filter beyond the tab as a sentence, with the filter that remains without it. */
export async function receiptChips(
  filter: ReceiptFilter,
): Promise<{ words: string; without: ReceiptFilter }[]> {
  const t = await getTranslations('receipts.chips');
  const [locale, zone] = [(await getLocale()) as Locale, await getTimeZone()];
  const day = (text: string): string => formatDate(text, locale, { zone });
  return [
    ...(filter.text === ''
      ? []
      : [{ words: t('text', { text: filter.text }), without: { ...filter, text: '' } }]),
    ...(filter.from === null
      ? []
      : [{ words: t('from', { day: day(filter.from) }), without: { ...filter, from: null } }]),
    ...(filter.to === null
      ? []
      : [{ words: t('to', { day: day(filter.to) }), without: { ...filter, to: null } }]),
  ];
}
