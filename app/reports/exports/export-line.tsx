import { getLocale, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { ActionButton } from '#components/action-button.tsx';
import { FileButton } from '#components/ui/button.tsx';
import { Link } from '#components/ui/link.tsx';
import { Pill } from '#components/ui/pill.tsx';
import type { Tone } from '#components/ui/pill.tsx';
import { Cell, Row } from '#components/ui/table.tsx';
import { When } from '#components/when.tsx';
import type { ExportRow } from '#lib/exports/list.ts';
import type { ExportState, SourceName } from '#lib/exports/profile.ts';
import type { Locale } from '#lib/values/locale.ts';
import { formatMoney } from '#lib/values/money.ts';
import { deleteExport } from './actions.ts';

type Words = Awaited<ReturnType<typeof getTranslations<'exports'>>>;

const TONES: Record<ExportState, Tone> = {
  MAKING: 'progress',
  READY: 'settled',
  FAILED: 'failed',
  DELETED: 'draft',
  EXPIRED: 'draft',
};

/** Address of the list that was exported. */
const LISTS: Record<SourceName, string> = {
  payouts: '/payouts',
  transactions: '/reports/transactions',
  withdrawals: '/reports/withdrawals',
};

/**
 * One export: its contents, its progress, and the file. A file can be downloaded while it is
 * written: it then streams as it grows.
 */
export async function ExportLine({
  row,
  now,
}: {
  row: ExportRow;
  now: string;
}): Promise<ReactNode> {
  const t = await getTranslations('exports');
  const locale = (await getLocale()) as Locale;
  const name = t('name', {
    source: t(`sources.${row.source}`),
    profile: t(`profiles.${row.profile}.name`),
  });
  return (
    <Row>
      <Cell first>
        <Link
          id={row.id}
          href={`${LISTS[row.source]}${row.filter}`}
          prefetch={false}
          className="font-medium text-accent hover:underline"
        >
          {name}
        </Link>
        <span className="block text-label text-muted">
          {row.words.length === 0 ? t('all') : row.words.join(' · ')}
        </span>
      </Cell>
      <Cell label={t('table.asked')}>
        <When at={row.createdAt} now={now} />
      </Cell>
      <StateCell row={row} now={now} t={t} />
      <Cell label={t('table.rows')} numeric>
        {row.state === 'MAKING' && row.expected !== null
          ? t('progress', { rows: row.rows, expected: row.expected })
          : t('count', { count: row.rows })}
        {row.sums.map((one) => (
          <span
            key={`${one.currency} ${one.part}`}
            className="block text-label font-normal text-muted"
          >
            {one.part}: {formatMoney(one.sum, one.currency, locale)}
          </span>
        ))}
      </Cell>
      <FileCell row={row} name={name} t={t} />
    </Row>
  );
}

function StateCell({ row, now, t }: { row: ExportRow; now: string; t: Words }): ReactNode {
  return (
    <Cell label={t('table.state')}>
      <span className="flex flex-wrap items-center gap-x-3 gap-y-1 max-sm:justify-end">
        <Pill tone={TONES[row.state]}>{t(`states.${row.state}`)}</Pill>
        {row.state === 'MAKING' && row.expected !== null && (
          <progress
            className="bar w-24"
            value={row.rows}
            max={Math.max(1, row.expected)}
            aria-label={t('progress', { rows: row.rows, expected: row.expected })}
          />
        )}
        {row.state === 'READY' && (
          <span className="text-label text-muted">
            {t('until')} <When at={row.expiresAt} now={now} />
          </span>
        )}
        {row.state === 'FAILED' && <span className="text-label text-muted">{t('failed')}</span>}
      </span>
    </Cell>
  );
}

/** The file, to be downloaded or deleted. */
function FileCell({ row, name, t }: { row: ExportRow; name: string; t: Words }): ReactNode {
  const there = row.state === 'READY' || row.state === 'MAKING';
  return (
    <Cell>
      <span className="flex flex-wrap items-center justify-end gap-2 sm:flex-nowrap">
        {there && (
          <FileButton
            href={`/reports/exports/${row.id}/file`}
            download
            aria-label={t('downloadOne', { name })}
          >
            {t('download')}
          </FileButton>
        )}
        {(there || row.state === 'FAILED') && (
          <ActionButton
            action={deleteExport}
            fields={{ id: row.id }}
            look="ghost"
            label={t('deleteOne', { name })}
          >
            {t('delete')}
          </ActionButton>
        )}
      </span>
    </Cell>
  );
}
