import { getLocale, getTranslations } from 'next-intl/server';
import { Suspense } from 'react';
import type { ReactNode } from 'react';
import { RowsLoading } from '#components/list-loading.tsx';
import { Skeleton } from '#components/ui/panel.tsx';
import type { Person } from '#lib/access/actor.ts';
import { readPending } from '#lib/approvals/pending.ts';
import { checkProgress } from '#lib/batches/draft/check-progress.ts';
import type { DraftTable } from '#lib/batches/draft/draft-table.ts';
import type { DraftQuery } from '#lib/batches/draft/filter.ts';
import { readDraft } from '#lib/batches/draft/read.ts';
import type { CheckedDraft, ViewedBatch } from '#lib/batches/draft/read.ts';
import type { Locale } from '#lib/values/locale.ts';
import { DraftRows } from './draft-rows.tsx';
import { SendBatch } from './send-batch.tsx';
import { Summary } from './summary.tsx';

export type Drawn = ViewedBatch & { table: DraftTable };

/**
 * What needs the provider and our own records: it comes when all rows are checked. Until then the
 * page says how many are, each figure as soon as it is true.
 */
export async function Checked({
  person,
  viewed: { batch, table, isOwn },
  query,
}: {
  person: Person;
  viewed: Drawn;
  query: DraftQuery;
}): Promise<ReactNode> {
  const locale = (await getLocale()) as Locale;
  const rows = table.rows.length;
  const { parts, tell, end } = checkProgress(rows);
  const draft = readDraft(person, batch.id, locale, tell).finally(end);
  // The page fails where it is drawn; nobody may be waiting for it yet.
  draft.catch(() => undefined);
  // Each figure waits inside the one before it.
  return parts.reduceRight<ReactNode>(
    (inner, { reached }, at) => (
      <Suspense fallback={<Checking rows={rows} done={parts[at - 1]?.done ?? null} />}>
        <After reached={reached}>{inner}</After>
      </Suspense>
    ),
    <Suspense fallback={<Checking rows={rows} done={parts.at(-1)?.done ?? null} />}>
      <DrawnRows person={person} reading={draft} query={query} isOwn={isOwn} />
    </Suspense>,
  );
}

async function After({
  reached,
  children,
}: {
  reached: Promise<void>;
  children: ReactNode;
}): Promise<ReactNode> {
  await reached;
  return children;
}

async function DrawnRows({
  person,
  reading,
  query,
  isOwn,
}: {
  person: Person;
  reading: Promise<CheckedDraft>;
  query: DraftQuery;
  isOwn: boolean;
}): Promise<ReactNode> {
  const [draft, pending] = await Promise.all([reading, readPending(person)]);
  return (
    <>
      <Summary draft={draft} pending={pending.get(draft.batch.wallet) ?? 0n} />
      {draft.isReady && isOwn && <SendBatch person={person} draft={draft} />}
      <DraftRows draft={draft} query={query} isOwn={isOwn} />
    </>
  );
}

/** `done`: how many rows are checked; null while the facts about them are read. */
async function Checking({ rows, done }: { rows: number; done: number | null }): Promise<ReactNode> {
  const t = await getTranslations('batches.draft');
  return (
    <div aria-busy className="grid gap-4">
      <p role="status" className="flex flex-wrap items-center gap-3 text-muted tabular-nums">
        {done !== null && <progress className="bar w-40" value={done} max={rows} aria-hidden />}
        {done === null ? t('checking', { rows }) : t('checked', { done, rows })}
      </p>
      <RowsLoading>
        <Skeleton className="h-4 w-36" />
        <Skeleton className="h-4 w-44" />
      </RowsLoading>
    </div>
  );
}
