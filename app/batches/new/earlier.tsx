import { getLocale, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { ConfirmButton } from '#components/confirm-button.tsx';
import { EditDialog } from '#components/edit-dialog.tsx';
import { NothingFound, SearchField } from '#components/filter-fields.tsx';
import { FilterForm } from '#components/filter-form.tsx';
import { MessageArea } from '#components/message-area.tsx';
import { Button } from '#components/ui/button.tsx';
import { Checkbox } from '#components/ui/field.tsx';
import { Panel } from '#components/ui/panel.tsx';
import { Cell, Head, Row, Table } from '#components/ui/table.tsx';
import { When } from '#components/when.tsx';
import type { Person } from '#lib/access/actor.ts';
import { rowsToRepeat } from '#lib/batches/draft/saved-rows.ts';
import type { NamedTemplate, RowsToRepeat } from '#lib/batches/draft/saved-rows.ts';
import type { Locale } from '#lib/values/locale.ts';
import { formatMoney } from '#lib/values/money.ts';
import { removeTemplate, renameTemplateNow, repeatRows } from './actions.ts';

const PATH = '/batches/new';

/** Drafts without a file: the templates, and the batches that were sent last. `text`: the search. */
export async function Earlier({
  person,
  text,
}: {
  person: Person;
  text: string;
}): Promise<ReactNode> {
  const t = await getTranslations('batches.earlier');
  const { templates, batches, more } = await rowsToRepeat(person, text);
  const isEmpty = templates.length === 0 && batches.length === 0;
  return (
    <Panel title={t('title')}>
      <div className="grid gap-4 p-4">
        <p className="max-w-prose text-muted">{isEmpty && text === '' ? t('none') : t('text')}</p>
        {(more || text !== '') && <Search text={text} />}
        {isEmpty && text !== '' && <NothingFound title={t('nothing')} clear={PATH} />}
      </div>
      <MessageArea>
        {templates.length > 0 && <Rows title={t('templates')} rows={templates} />}
        {batches.length > 0 && <Rows title={t('batches')} rows={batches} />}
      </MessageArea>
      {more && <p className="px-4 py-2.5 text-label text-muted">{t('more')}</p>}
    </Panel>
  );
}

async function Search({ text }: { text: string }): Promise<ReactNode> {
  const t = await getTranslations('batches.earlier');
  return (
    <FilterForm
      key={text}
      action={PATH}
      label={t('search')}
      className="flex flex-wrap items-end gap-3"
    >
      <SearchField id="earlier-q" label={t('search')} value={text} hint={t('searchHint')} />
      <Button type="submit">{t('find')}</Button>
    </FilterForm>
  );
}

async function Rows({
  title,
  rows,
}: {
  title: string;
  rows: readonly (RowsToRepeat | NamedTemplate)[];
}): Promise<ReactNode> {
  const t = await getTranslations('batches.earlier');
  return (
    <div className="border-t border-hairline">
      <h3 className="px-4 pt-3 text-label font-semibold text-muted">{title}</h3>
      <Table
        caption={title}
        head={
          <>
            <Head>{t('columns.name')}</Head>
            <Head>{t('columns.at')}</Head>
            <Head numeric>{t('columns.rows')}</Head>
            <Head numeric>{t('columns.sum')}</Head>
            <Head>
              <span className="sr-only">{t('columns.action')}</span>
            </Head>
          </>
        }
      >
        {rows.map((row) => (
          <Line key={'id' in row ? row.id : row.batchId} row={row} />
        ))}
      </Table>
    </div>
  );
}

async function Line({ row }: { row: RowsToRepeat | NamedTemplate }): Promise<ReactNode> {
  const t = await getTranslations('batches.earlier');
  const list = await getTranslations('batches.list');
  const locale = (await getLocale()) as Locale;
  const name = row.name === '' ? list('paste') : row.name;
  const sum = formatMoney(row.sumMinor, row.currency, locale);
  return (
    <Row>
      <Cell first>
        <span className="font-medium wrap-anywhere">{name}</span>
      </Cell>
      <Cell label={t('columns.at')}>
        <When at={row.submittedAt} />
      </Cell>
      <Cell label={t('columns.rows')} numeric>
        {String(row.rows)}
      </Cell>
      <Cell label={t('columns.sum')} numeric>
        {sum}
      </Cell>
      <Cell whole>
        <div className="flex flex-wrap items-center gap-2">
          <ConfirmButton
            action={repeatRows}
            fields={'id' in row ? { template: row.id } : { batch: row.batchId }}
            words={{
              open: t('open'),
              label: t('openOne', { name }),
              title: t('confirmTitle', { name }),
              confirm: t('confirm'),
              keep: t('keep'),
            }}
          >
            <p>{t('confirmText', { rows: row.rows, sum })}</p>
            <Checkbox
              id={`without-${'id' in row ? row.id : row.batchId}`}
              name="without"
              label={t('without')}
            />
          </ConfirmButton>
          {'id' in row && <OfTemplate template={row} />}
        </div>
      </Cell>
    </Row>
  );
}

async function OfTemplate({ template }: { template: NamedTemplate }): Promise<ReactNode> {
  const t = await getTranslations('batches.earlier');
  const { name } = template;
  return (
    <>
      <EditDialog
        key={name}
        action={renameTemplateNow}
        fixed={{ template: template.id }}
        fields={[{ name: 'name', label: t('name'), value: name }]}
        words={{
          open: t('rename'),
          label: t('renameOne', { name }),
          title: t('renameTitle'),
          hint: t('renameHint'),
          save: t('save'),
          keep: t('keep'),
        }}
      />
      <ConfirmButton
        action={removeTemplate}
        fields={{ template: template.id }}
        look="ghost"
        confirmLook="danger"
        words={{
          open: t('delete'),
          label: t('deleteOne', { name }),
          title: t('deleteTitle', { name }),
          confirm: t('deleteConfirm'),
          keep: t('keep'),
        }}
      >
        <p>{t('deleteText')}</p>
      </ConfirmButton>
    </>
  );
}
