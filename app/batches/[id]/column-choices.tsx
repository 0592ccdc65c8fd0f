import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { Panel } from '#components/ui/panel.tsx';
import { Cell, Head, Row, Table } from '#components/ui/table.tsx';
import type { OfDraft } from '#lib/batches/draft/change.ts';
import type { DraftTable } from '#lib/batches/draft/draft-table.ts';
import { FIELDS } from '#lib/batches/file/headings.ts';
import { missingFields, SURE } from '#lib/batches/file/mapping.ts';
import type { Guess } from '#lib/batches/file/mapping.ts';
import { columnName } from '#lib/batches/file/source.ts';
import { ColumnSelect } from './column-select.tsx';

const PREVIEW_ROWS = 3;
/** Longer texts are cut in the preview. */
const SHOWN = 40;

type Meaning = { field: string; guess: Guess } | null;

/** What each column of the file means, beside its first rows; folded once nothing is unsure. */
export async function ColumnChoices({
  of,
  table,
  isOwn,
}: {
  of: OfDraft;
  table: DraftTable;
  isOwn: boolean;
}): Promise<ReactNode> {
  const t = await getTranslations('batches.columns');
  const words = await getTranslations('batchFile.fields');
  const missing = missingFields(table.mapping);
  const isUnsure = Object.values(table.mapping).some(({ confidence }) => confidence < SURE);
  const columns = table.table.columns.map(({ heading }, column) => ({
    column,
    name: heading.length === 0 ? columnName(column) : heading.join(' / '),
    meaning: meaningOf(table, column),
    cells: table.rows
      .slice(0, PREVIEW_ROWS)
      .map(({ original }) => shortened(original[column] ?? '')),
  }));
  return (
    <Panel>
      <details open={missing.length > 0 || isUnsure}>
        <summary className="cursor-pointer px-4 py-2.5 text-section font-semibold">
          {t('title')}
        </summary>
        <div className="grid gap-3 border-t border-hairline p-4">
          <p className="max-w-prose text-muted">{t('text')}</p>
          {missing.length > 0 && (
            <p role="status" className="font-medium text-failed">
              {t('missing', { fields: missing.map((field) => words(field)).join(', ') })}
            </p>
          )}
        </div>
        <Columns of={of} columns={columns} isOwn={isOwn} />
      </details>
    </Panel>
  );
}

type ReadColumn = { column: number; name: string; meaning: Meaning; cells: string[] };

/** One line a column: what it means, and what its first rows say. */
async function Columns({
  of,
  columns,
  isOwn,
}: {
  of: OfDraft;
  columns: readonly ReadColumn[];
  isOwn: boolean;
}): Promise<ReactNode> {
  const t = await getTranslations('batches.columns');
  const words = await getTranslations('batchFile.fields');
  const options = FIELDS.map((field) => ({ field, name: words(field) }));
  return (
    <Table
      caption={t('title')}
      head={
        <>
          <Head>{t('heading')}</Head>
          <Head>{t('meaning')}</Head>
          <Head>{t('preview')}</Head>
        </>
      }
    >
      {columns.map(({ column, name, meaning, cells }) => (
        <Row key={column}>
          <Cell first>
            <span className="font-medium wrap-anywhere">{name}</span>
          </Cell>
          <Cell whole>
            <ColumnSelect
              // A change by another column draws it anew.
              key={meaning?.field ?? ''}
              of={of}
              column={column}
              value={meaning?.field ?? ''}
              label={t('choose', { name })}
              none={t('none')}
              options={options}
              disabled={!isOwn}
            />
            {meaning && <Reason guess={meaning.guess} />}
          </Cell>
          <Cell label={t('preview')} whole>
            <span className="text-label wrap-anywhere text-muted">
              {cells.filter((text) => text !== '').join(' · ')}
            </span>
          </Cell>
        </Row>
      ))}
    </Table>
  );
}

async function Reason({ guess }: { guess: Guess }): Promise<ReactNode> {
  const t = await getTranslations('batches.columns');
  const isSure = guess.confidence >= SURE;
  const because = guess.because.map((one) => t(`because.${one}`)).join(', ');
  const confidence = t(isSure ? 'sure' : 'check');
  return (
    <span className={`block font-normal ${isSure ? 'text-muted' : 'text-attention'}`}>
      {confidence} · {because}
      {guess.contested && ` · ${t('contested')}`}
    </span>
  );
}

function meaningOf({ mapping }: DraftTable, column: number): Meaning {
  const found = Object.entries(mapping).find(([, guess]) => guess.column === column);
  return found === undefined ? null : { field: found[0], guess: found[1] };
}

function shortened(text: string): string {
  const letters = Array.from(text);
  return letters.length > SHOWN ? `${letters.slice(0, SHOWN).join('')}…` : text;
}
