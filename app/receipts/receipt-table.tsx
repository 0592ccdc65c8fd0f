import { getLocale, getTimeZone, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { ActionButton } from '#components/action-button.tsx';
import { PICK_FORM } from '#components/pick-form.ts';
import { PickPage } from '#components/picked-rows.tsx';
import { PICK_BOX } from '#components/ui/classes.ts';
import { Link } from '#components/ui/link.tsx';
import { Cell, Head, Row, Table } from '#components/ui/table.tsx';
import { When } from '#components/when.tsx';
import { formatDateTime } from '#lib/values/dates.ts';
import { shownIban } from '#lib/values/iban.ts';
import { addressOf } from '#lib/values/keyset.ts';
import type { Locale } from '#lib/values/locale.ts';
import { formatMoney } from '#lib/values/money.ts';
import { receiptParams } from '#lib/receipts/filter.ts';
import type { ReceiptFilter } from '#lib/receipts/filter.ts';
import type { ReceiptRow } from '#lib/receipts/list.ts';
import { askAgain } from './actions.ts';
import { ReceiptState } from './receipt-state.tsx';

type Words = Awaited<ReturnType<typeof getTranslations<'receipts'>>>;

export async function ReceiptTable({
  rows,
  now,
  filter,
  mayAsk,
  mayPick,
}: {
  rows: ReceiptRow[];
  now: string;
  filter: ReceiptFilter;
  mayAsk: boolean;
  mayPick: boolean;
}): Promise<ReactNode> {
  const t = await getTranslations('receipts');
  return (
    <Table
      caption={t('caption')}
      head={
        <>
          <Head>
            <span className="flex items-center gap-3">
              {mayPick && <PickPage label={t('pick.page')} />}
              {t('columns.name')}
            </span>
          </Head>
          <Head>{t('columns.state')}</Head>
          <Head>{t('columns.paidAt')}</Head>
          <Head>{t('columns.reference')}</Head>
          <Head numeric>{t('columns.amount')}</Head>
        </>
      }
    >
      {rows.map((row) => (
        <ReceiptLine
          key={row.id}
          row={row}
          now={now}
          filter={filter}
          mayAsk={mayAsk}
          mayPick={mayPick}
        />
      ))}
    </Table>
  );
}

async function ReceiptLine({
  row,
  now,
  filter,
  mayAsk,
  mayPick,
}: {
  row: ReceiptRow;
  now: string;
  filter: ReceiptFilter;
  mayAsk: boolean;
  mayPick: boolean;
}): Promise<ReactNode> {
  const t = await getTranslations('receipts');
  const locale = (await getLocale()) as Locale;
  const zone = await getTimeZone();
  const next =
    row.status === 'ready'
      ? null
      : row.nextAt
        ? t('next', { time: formatDateTime(row.nextAt, locale, { zone, now, seconds: true }) })
        : t('noNext');
  return (
    <Row brief>
      <NameCell row={row} filter={filter} mayPick={mayPick} t={t} />
      <Cell label={t('columns.state')} state>
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1 max-sm:justify-end">
          <ReceiptState status={row.status} format={row.format} />
          {next && <span className="text-label text-muted tabular-nums">{next}</span>}
          {row.status === 'failed' && mayAsk && (
            <ActionButton
              action={askAgain}
              fields={{ id: row.id }}
              label={t('askOne', { name: row.name })}
            >
              {t('ask')}
            </ActionButton>
          )}
        </span>
      </Cell>
      <Cell label={t('columns.paidAt')} when>
        <When at={row.paidAt} now={now} />
      </Cell>
      <Cell label={t('columns.reference')}>
        <span className="font-mono text-mono text-muted">{row.extId}</span>
      </Cell>
      <Cell label={t('columns.amount')} numeric>
        {row.direction === 'in' && '+'}
        {formatMoney(row.amount, row.currency, locale)}
      </Cell>
    </Row>
  );
}

/** Opens the receipt; its box picks the row for an archive. */
function NameCell({
  row,
  filter,
  mayPick,
  t,
}: {
  row: ReceiptRow;
  filter: ReceiptFilter;
  mayPick: boolean;
  t: Words;
}): ReactNode {
  return (
    <Cell first>
      <span className="flex items-center gap-3">
        {mayPick && (
          <input
            type="checkbox"
            name="pick"
            value={row.id}
            form={PICK_FORM}
            aria-label={t('pick.one', { name: row.name || t('nameless') })}
            className={PICK_BOX}
          />
        )}
        <span className="min-w-0">
          <Link
            href={`/receipts/${row.id}${addressOf(receiptParams(filter))}`}
            className="font-medium text-accent hover:underline"
          >
            {row.name || t('nameless')}
          </Link>
          {(row.iban || row.otherWallet) && (
            <span className="block font-mono text-mono text-muted">
              {row.iban ? shownIban(row.iban) : row.otherWallet}
            </span>
          )}
        </span>
      </span>
    </Cell>
  );
}
