import { getLocale, getTranslations } from 'next-intl/server';
import { may } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import type { Frame } from '#lib/exports/profile.ts';
import type { Locale } from '#lib/values/locale.ts';
import type { Archive } from '#lib/receipts/archives/archive.ts';
import type { MergedWords } from '#lib/receipts/archives/merge-archive.ts';
import type { ArchiveWords } from '#lib/receipts/archives/take.ts';
import { readReceiptQuery } from '#lib/receipts/filter.ts';
import type { ReceiptFilter } from '#lib/receipts/filter.ts';
import { workspace } from '#lib/runtime/workspace.ts';
import { receiptChips } from '../filter-words.ts';

/** The selection as sentences; empty for everything. */
export async function chosenWords(filter: ReceiptFilter, picked: number | null): Promise<string[]> {
  const t = await getTranslations('receipts');
  if (picked !== null) return [t('archives.picked', { count: picked })];
  return [
    ...(filter.view === 'all' ? [] : [t(`views.${filter.view}`)]),
    ...(await receiptChips(filter)).map(({ words }) => words),
  ];
}

export async function archiveChoice({
  filter,
  picked,
  asked,
}: Pick<Archive, 'filter' | 'picked' | 'asked'>): Promise<string[]> {
  return chosenWords(filterOf({ filter }), picked ? asked : null);
}

/** The filter by which an archive was chosen, as the list of receipts reads it. */
export function filterOf({ filter }: Pick<Archive, 'filter'>): ReceiptFilter {
  return readReceiptQuery(Object.fromEntries(new URLSearchParams(filter))).filter;
}

/** All texts of the file, in the language and with the rights of the person who downloads it. */
export async function archiveWords(person: Person, archive: Archive): Promise<ArchiveWords> {
  const t = await getTranslations('receipts.archives');
  const exports = await getTranslations('exports');
  const labels = exports.raw('labels') as Omit<Frame['labels'], 'personalIs'> &
    Record<'personalWhole' | 'personalMasked', string>;
  const frame: Frame = {
    locale: (await getLocale()) as Locale,
    zone: workspace().timeZone,
    role: person.role,
    by: person.name,
    fileName: t('indexFile'),
    title: t('indexTitle'),
    filter: await archiveChoice(archive),
    columns: t.raw('columns') as Record<string, string>,
    codes: t.raw('codes') as Frame['codes'],
    labels: {
      ...labels,
      rows: t('asked'),
      personalIs: may(person.role, 'payee.read') ? labels.personalWhole : labels.personalMasked,
    },
  };
  return {
    frame,
    contents: (ready, missing) => t('contents', { ready, missing }),
    merged: t.raw('merged') as MergedWords,
  };
}
