import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { OPTIONAL_COLUMNS } from '#lib/list-columns/columns.ts';
import type { ColumnList, ColumnOf } from '#lib/list-columns/columns.ts';
import { ColumnDialog } from './column-dialog.tsx';

/**
 * The button that opens the choice of a list's columns. `phone`: false where a row of the list has
 * two lines on a phone, which no choice changes.
 */
export async function ColumnChoice<List extends ColumnList>({
  list,
  hidden,
  words,
  phone = true,
}: {
  list: List;
  hidden: readonly ColumnOf<List>[];
  words: Record<ColumnOf<List>, string>;
  phone?: boolean;
}): Promise<ReactNode> {
  const t = await getTranslations('columns');
  const all: readonly ColumnOf<List>[] = OPTIONAL_COLUMNS[list];
  return (
    <ColumnDialog
      list={list}
      phone={phone}
      columns={all.map((name) => ({ name, label: words[name], shown: !hidden.includes(name) }))}
      words={{
        open: t('open'),
        title: t('title'),
        text: t('text'),
        save: t('save'),
        close: t('close'),
      }}
    />
  );
}
