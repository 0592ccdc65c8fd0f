import { getLocale, getTimeZone, getTranslations } from 'next-intl/server';
import { formatDate } from '#lib/values/dates.ts';
import { batchName } from '#lib/batches/name.ts';
import { signedIn } from '#lib/login/session.ts';
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
    ...(filter.batch === null
      ? []
      : [
          {
            words: t('batch', { name: await nameOfBatch(filter.batch) }),
            without: { ...filter, batch: null },
          },
        ]),
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

async function nameOfBatch(id: string): Promise<string> {
  const t = await getTranslations('receipts.chips');
  const name = await batchName(await signedIn(), id);
  return name === '' ? t('pasted') : (name ?? '?');
}
