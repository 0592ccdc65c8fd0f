import { getLocale, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { ListPager } from '#components/list-pager.tsx';
import { MoneyState } from '#components/money-state.tsx';
import { Checkbox } from '#components/ui/field.tsx';
import { Link } from '#components/ui/link.tsx';
import { Panel } from '#components/ui/panel.tsx';
import { ICON_STOPPED, Pill } from '#components/ui/pill.tsx';
import { Cell, Head, Row, Table } from '#components/ui/table.tsx';
import { providerReason } from '#app/movements/provider-reason.ts';
import type { RunRow, RunView } from '#lib/batches/run/view.ts';
import { movementAddress } from '#lib/movements/kinds.ts';
import { shownIban } from '#lib/values/iban.ts';
import type { Locale } from '#lib/values/locale.ts';
import { formatMoney } from '#lib/values/money.ts';
import { confirmedWords } from '../confirmed-words.ts';
import { reasonWords } from './run-view.tsx';

/**
 * One page of the rows of a batch; each row that is a movement opens its own page. `current`: the
 * row that a link pointed at, with which the page begins.
 */
export async function RunRows({
  view,
  rows,
  ticks,
  current,
  previous,
  next,
}: {
  view: RunView;
  rows: readonly RunRow[];
  /** The form to which ticks of rows belong; null: rows have none. */
  ticks: string | null;
  current: number | null;
  previous: string | null;
  next: string | null;
}): Promise<ReactNode> {
  const t = await getTranslations('batchRun.rows');
  const locale = (await getLocale()) as Locale;
  if (rows.length === 0)
    return (
      <Panel>
        <p className="px-4 py-6 text-muted">{t('empty')}</p>
      </Panel>
    );
  return (
    <Panel list>
      <Table
        caption={t('caption')}
        head={
          <>
            <Head>{t('payee')}</Head>
            <Head wide>{t('number')}</Head>
            <Head>{t('state')}</Head>
            <Head numeric>{t('amount')}</Head>
          </>
        }
      >
        {rows.map((row) => (
          <Row key={row.number} brief current={row.number === current}>
            <Cell first>
              <PayeeOf row={row} ticks={ticks} />
            </Cell>
            <Cell wide label={t('number')}>
              {String(row.number)}
            </Cell>
            <Cell state label={t('state')}>
              <RowState row={row} phase={view.phase} />
              <Note row={row} phase={view.phase} />
            </Cell>
            <Cell numeric label={t('amount')}>
              {formatMoney(row.amountMinor, view.currency, locale)}
            </Cell>
          </Row>
        ))}
      </Table>
      {(previous !== null || next !== null) && (
        <ListPager previous={previous} next={next}>
          {current !== null && t('from', { row: current })}
        </ListPager>
      )}
    </Panel>
  );
}

/** Whom it pays; with a tick where an approver may ask to leave it out. */
async function PayeeOf({ row, ticks }: { row: RunRow; ticks: string | null }): Promise<ReactNode> {
  const t = await getTranslations('batchRun.approval');
  return (
    <span className="grid">
      {row.movementId === null ? (
        <span>{row.name}</span>
      ) : (
        <Link
          href={movementAddress({ kind: row.kind, id: row.movementId })}
          className="font-medium"
        >
          {row.name}
        </Link>
      )}
      <span className="text-label text-muted tabular-nums">
        {row.person === null ? shownIban(row.iban) : row.person.key}
        {row.person !== null && row.person.foundName !== null && ` · ${row.person.foundName}`}
      </span>
      {ticks !== null && (
        <Checkbox
          id={`without-${row.number}`}
          form={ticks}
          name="without"
          value={row.number}
          label={t('leaveOut', { row: row.number })}
        />
      )}
    </span>
  );
}

async function RowState({
  row,
  phase,
}: {
  row: RunRow;
  phase: RunView['phase'];
}): Promise<ReactNode> {
  const t = await getTranslations('batchRun.rows');
  if (row.state !== null) return <MoneyState kind={row.kind} {...row.state} />;
  if (row.refused !== null) return <Pill tone="failed">{t('refused')}</Pill>;
  if (phase === 'waiting') return <Pill tone="attention">{t('waiting')}</Pill>;
  return phase === 'stopped' || phase === 'sent_back' || phase === 'expired' ? (
    <Pill tone="draft" icon={ICON_STOPPED}>
      {t('unsent')}
    </Pill>
  ) : (
    <Pill tone="attention">{t('inLine')}</Pill>
  );
}

/**
 * Why the row was not paid, or what it waits for; for an approver, what it is for and why its
 * warnings were confirmed. Nothing where its state says all.
 */
async function Note({ row, phase }: { row: RunRow; phase: RunView['phase'] }): Promise<ReactNode> {
  const text = phase === 'waiting' ? await contentOf(row) : await noteOf(row);
  return text === '' ? null : (
    <span className="block text-label font-normal text-muted wrap-anywhere">{text}</span>
  );
}

async function contentOf({ description, overrideReason }: RunRow): Promise<string> {
  if (overrideReason === null) return description;
  const confirmed = await confirmedWords(overrideReason);
  return [description, confirmed].filter((part) => part !== '').join(' · ');
}

async function noteOf(row: RunRow): Promise<string> {
  const t = await getTranslations('batchRun.rows');
  if (row.refused !== null) return reasonWords(row.refused);
  if (row.reasonCode !== null || row.reasonText !== null) {
    const reasons = await getTranslations('payout');
    const meaningOf = (code: string): string | null =>
      reasons.has(`reasons.${code}`) ? reasons(`reasons.${code}`) : null;
    return providerReason(row, meaningOf) || (row.reasonCode ?? '');
  }
  if (row.wait === null) return '';
  const seconds = Math.ceil(row.wait.forMs / 1000);
  return row.wait.row === null
    ? t('sameIbanOther', { seconds })
    : t('sameIban', { seconds, row: row.wait.row });
}
