import { getLocale, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { ConfirmButton } from '#components/confirm-button.tsx';
import { ListPager } from '#components/list-pager.tsx';
import { RefreshButton } from '#components/refresh-button.tsx';
import { EmptyState, Panel } from '#components/ui/panel.tsx';
import { Head, Tab, Table, Tabs } from '#components/ui/table.tsx';
import { hasProblem } from '#lib/batches/draft/check-rows.ts';
import type { CheckedRow } from '#lib/batches/draft/check-rows.ts';
import { DRAFT_SHOWS, draftAddress, PAGE_ROWS, pageOfRows } from '#lib/batches/draft/filter.ts';
import type { DraftQuery, DraftShow } from '#lib/batches/draft/filter.ts';
import type { CheckedDraft } from '#lib/batches/draft/read.ts';
import { EDITABLE } from '#lib/batches/draft/stored.ts';
import { marksOf } from '#lib/batches/file/cell.ts';
import type { Cell } from '#lib/batches/file/cell.ts';
import type { Locale } from '#lib/values/locale.ts';
import { paymentTypesSoon } from '#lib/wallets/ask.ts';
import { discard, splitOff } from '../actions.ts';
import { KindsTogether } from './kinds-together.tsx';
import { DraftLine } from './draft-line.tsx';

const SHOWN: Record<DraftShow, (row: CheckedRow) => boolean> = {
  problems: hasProblem,
  repaired: ({ cells }) =>
    EDITABLE.some((field) => marksOf(cells[field] as Cell<unknown>).length > 0),
  all: () => true,
};

/** The rows, those with problems first; which ones are shown is in the address. */
export async function DraftRows({
  draft,
  query,
  isOwn,
}: {
  draft: CheckedDraft;
  query: DraftQuery;
  isOwn: boolean;
}): Promise<ReactNode> {
  const t = await getTranslations('batches.rows');
  const { batch, summary } = draft;
  const show = query.show ?? (summary.problems > 0 ? 'problems' : 'all');
  const fitting = draft.rows.filter(SHOWN[show]);
  const sorted = [...fitting.filter(hasProblem), ...fitting.filter((row) => !hasProblem(row))];
  const { rows, page, pages } = pageOfRows(sorted, query.page);
  const address = (to: number): string => draftAddress(batch.id, { show: query.show, page: to });
  const from = (page - 1) * PAGE_ROWS;
  return (
    <>
      <Tabs label={t('show')}>
        {DRAFT_SHOWS.map((one) => (
          <Tab
            key={one}
            href={draftAddress(batch.id, { show: one, page: 1 })}
            current={one === show}
          >
            {t(`shows.${one}`)}
            <span className="text-label text-muted tabular-nums">
              {draft.rows.filter(SHOWN[one]).length}
            </span>
          </Tab>
        ))}
      </Tabs>
      {isOwn && <KindsTogether draft={draft} />}
      <Panel list>
        {rows.length === 0 ? (
          <EmptyState title={t(`empty.${show}`)} />
        ) : (
          <RowTable draft={draft} rows={rows} isOwn={isOwn} />
        )}
        {pages > 1 && (
          <ListPager
            previous={page > 1 ? address(page - 1) : null}
            next={page < pages ? address(page + 1) : null}
          >
            {t('counts', { from: from + 1, to: from + rows.length, count: sorted.length })}
          </ListPager>
        )}
      </Panel>
      {isOwn && <DraftActions draft={draft} />}
    </>
  );
}

async function RowTable({
  draft,
  rows,
  isOwn,
}: {
  draft: CheckedDraft;
  rows: readonly CheckedRow[];
  isOwn: boolean;
}): Promise<ReactNode> {
  const t = await getTranslations('batches.rows');
  const types = await paymentTypesSoon((await getLocale()) as Locale, 'choice');
  return (
    <Table
      caption={t('caption')}
      head={
        <>
          <Head>{t('columns.row')}</Head>
          <Head>{t('columns.recipient')}</Head>
          <Head>{t('columns.amount')}</Head>
          <Head>{t('columns.purpose')}</Head>
          <Head>{t('columns.state')}</Head>
          <Head>
            <span className="sr-only">{t('columns.action')}</span>
          </Head>
        </>
      }
    >
      {rows.map((row) => (
        <DraftLine key={row.key} draft={draft} row={row} types={types} isOwn={isOwn} />
      ))}
    </Table>
  );
}

async function DraftActions({ draft }: { draft: CheckedDraft }): Promise<ReactNode> {
  const t = await getTranslations('batches.rows');
  const { batch, summary, rows } = draft;
  const fields = { id: batch.id, version: String(batch.version) };
  const canSplit = summary.problems > 0 && summary.problems < rows.length;
  return (
    <div className="flex flex-wrap gap-3">
      {canSplit && (
        <ConfirmButton
          action={splitOff}
          fields={fields}
          words={{
            open: t('split', { count: summary.problems }),
            title: t('splitTitle'),
            keep: t('splitKeep'),
            confirm: t('splitConfirm'),
          }}
        >
          <p>{t('splitText', { count: summary.problems })}</p>
        </ConfirmButton>
      )}
      <RefreshButton>{t('recheck')}</RefreshButton>
      <ConfirmButton
        action={discard}
        fields={fields}
        look="danger"
        confirmLook="danger"
        words={{
          open: t('discard'),
          title: t('discardTitle'),
          keep: t('discardKeep'),
          confirm: t('discardConfirm'),
        }}
      >
        <p>{t('discardText')}</p>
      </ConfirmButton>
    </div>
  );
}
