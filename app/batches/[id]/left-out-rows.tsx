import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { ActionButton } from '#components/action-button.tsx';
import { Field, Select, TextInput } from '#components/ui/field.tsx';
import { Panel } from '#components/ui/panel.tsx';
import type { OfDraft } from '#lib/batches/draft/change.ts';
import type { DraftTable } from '#lib/batches/draft/draft-table.ts';
import type { LeftOut } from '#lib/batches/file/table.ts';
import { changeTable } from '../actions.ts';
import { ActionForm } from './action-form.tsx';

const SHOWN_MAX = 20;

/** Everything of the file that is no payment here, with its text: nothing is left out silently. */
export async function LeftOutRows({
  of,
  table,
  isOwn,
}: {
  of: OfDraft;
  table: DraftTable;
  isOwn: boolean;
}): Promise<ReactNode> {
  const t = await getTranslations('batches.said');
  const words = await getTranslations('batchFile.said');
  const { left, said } = table.table;
  const rest = left.length - SHOWN_MAX;
  return (
    <Panel title={t('title')}>
      <div className="grid gap-3 p-4">
        {said.length > 0 && (
          <ul aria-label={t('notes')} className="grid list-disc gap-1 pl-5">
            {said.map((one) => (
              <li key={JSON.stringify(one)} className="wrap-anywhere">
                {words(one.code, valuesOf(one))}
              </li>
            ))}
          </ul>
        )}
        {left.length > 0 && (
          <ul aria-label={t('title')} className="grid gap-1">
            {left.slice(0, SHOWN_MAX).map((one) => (
              <LeftOutRow key={one.row} of={of} left={one} isOwn={isOwn} />
            ))}
          </ul>
        )}
        {rest > 0 && <p className="text-label text-muted">{t('more', { count: rest })}</p>}
        {isOwn && <TableForm of={of} table={table} />}
      </div>
    </Panel>
  );
}

async function LeftOutRow({
  of,
  left: { row, why, text },
  isOwn,
}: {
  of: OfDraft;
  left: LeftOut;
  isOwn: boolean;
}): Promise<ReactNode> {
  const t = await getTranslations('batches.said');
  const words = await getTranslations('batchFile.left');
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
      <span className="min-w-0 wrap-anywhere">
        <span className="font-medium">{t('row', { row })}</span> · {words(why)} ·{' '}
        <span className="text-muted">{text}</span>
      </span>
      {isOwn && why !== 'heading' && (
        <ActionButton
          action={changeTable}
          look="ghost"
          fields={{ id: of.id, version: String(of.version), take: String(row) }}
          label={t('takeOne', { row })}
        >
          {t('take')}
        </ActionButton>
      )}
    </li>
  );
}

/** Another sheet, and the rows that are headings. */
async function TableForm({
  of,
  table: { sheet, sheets, table },
}: {
  of: OfDraft;
  table: DraftTable;
}): Promise<ReactNode> {
  const t = await getTranslations('batches.said');
  const fields = { id: of.id, version: String(of.version) };
  const headings = table.left.filter(({ why }) => why === 'heading').map(({ row }) => row);
  const look = 'flex flex-wrap items-end gap-3';
  return (
    <div className="flex flex-wrap items-end gap-x-6 gap-y-3">
      <ActionForm
        key={`${sheet}:${headings.join()}`}
        action={changeTable}
        fields={fields}
        button={t('apply')}
        label={`${t('apply')}: ${t('headings')}`}
        className={look}
      >
        <Field id="batch-headings" label={t('headings')} hint={t('headingsHint')}>
          <TextInput
            id="batch-headings"
            name="headings"
            inputMode="numeric"
            maxLength={20}
            defaultValue={headings.join(', ')}
            autoComplete="off"
            aria-describedby="batch-headings-hint"
          />
        </Field>
      </ActionForm>
      {sheets.length > 1 && (
        <ActionForm
          key={sheet}
          action={changeTable}
          fields={fields}
          button={t('apply')}
          label={`${t('apply')}: ${t('sheet')}`}
          className={look}
        >
          <Field id="batch-sheet" label={t('sheet')}>
            <Select id="batch-sheet" name="sheet" defaultValue={String(sheet)}>
              {sheets.map(({ name, hidden, rows }, at) => (
                <option key={name} value={at} disabled={rows === 0}>
                  {t('sheetOption', { name, rows })}
                  {hidden ? ` · ${t('hidden')}` : ''}
                </option>
              ))}
            </Select>
          </Field>
        </ActionForm>
      )}
    </div>
  );
}

function valuesOf({ code: _code, ...values }: DraftTable['table']['said'][number]) {
  return values as Record<string, string | number>;
}
