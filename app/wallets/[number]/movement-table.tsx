import { getLocale, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { StatusPill } from '#app/reports/transactions/status-pill.tsx';
import { ReceiptLink } from '#app/receipts/receipt-link.tsx';
import { Link } from '#components/ui/link.tsx';
import { Cell, Head, Row, Table } from '#components/ui/table.tsx';
import { When } from '#components/when.tsx';
import { formatDate } from '#lib/values/dates.ts';
import type { Locale } from '#lib/values/locale.ts';
import { formatMoney } from '#lib/values/money.ts';
import type { ReceiptRef } from '#lib/receipts/request.ts';
import type { WalletMovementFilter } from '#lib/wallets/filter.ts';
import type { WalletMovement } from '#lib/wallets/movements.ts';

type Words = Awaited<ReturnType<typeof getTranslations<'wallets.movements'>>>;

/** Receipts of mirrored entries, by ledger id. */
type Receipts = ReadonlyMap<string, ReceiptRef | null>;

/** Money in and out in separate columns: column and sign tell the direction, colour does not. */
export async function MovementTable({
  rows,
  filter,
  now,
  receipts,
}: {
  rows: WalletMovement[];
  filter: WalletMovementFilter;
  now: string;
  receipts: Receipts;
}): Promise<ReactNode> {
  const t = await getTranslations('wallets.movements');
  const locale = (await getLocale()) as Locale;
  const caption = t('caption', {
    from: formatDate(filter.from, locale),
    to: formatDate(filter.to, locale),
  });
  return (
    <Table
      caption={caption}
      head={
        <>
          <Head>{t('at')}</Head>
          <Head>{t('kind')}</Head>
          <Head>{t('description')}</Head>
          <Head numeric>{t('in')}</Head>
          <Head numeric>{t('out')}</Head>
        </>
      }
    >
      {rows.map((row) => (
        <MovementRow
          key={`${row.transactionId}-${row.direction}`}
          row={row}
          now={now}
          locale={locale}
          receipts={receipts}
        />
      ))}
    </Table>
  );
}

async function MovementRow({
  row,
  now,
  locale,
  receipts,
}: {
  row: WalletMovement;
  now: string;
  locale: Locale;
  receipts: Receipts;
}): Promise<ReactNode> {
  const t = await getTranslations('wallets.movements');
  const common = await getTranslations('common');
  return (
    <Row>
      <Cell first>
        {row.payoutId ? (
          <Link
            href={`/payouts/${row.payoutId}`}
            className="font-medium text-accent hover:underline"
          >
            {row.at ? <When at={row.at} now={now} /> : common('none')}
            <span className="sr-only">
              {' '}
              {t('payout')}: {row.description ?? row.transactionId}
            </span>
          </Link>
        ) : row.at ? (
          <When at={row.at} now={now} />
        ) : (
          common('none')
        )}
      </Cell>
      <Cell label={t('kind')}>
        <span className="inline-flex flex-wrap items-center gap-x-2 gap-y-1">
          {row.kind === 'other' ? (row.type ?? t('kinds.other')) : t(`kinds.${row.kind}`)}
          {row.status !== 'completed' && <StatusPill status={row.status} text={row.statusText} />}
        </span>
      </Cell>
      <Cell label={t('description')}>
        <bdi className="block">{row.description ?? common('none')}</bdi>
        <Small row={row} receipts={receipts} />
      </Cell>
      <AmountCells row={row} locale={locale} t={t} />
    </Row>
  );
}

function AmountCells({
  row,
  locale,
  t,
}: {
  row: WalletMovement;
  locale: Locale;
  t: Words;
}): ReactNode {
  const amount = formatMoney(
    row.direction === 'out' ? `-${row.amount}` : row.amount,
    row.currency,
    locale,
    { sign: 'always' },
  );
  const shown = (
    <>
      {amount}
      {row.fee !== '0.00' && (
        <span className="block text-label font-normal text-muted">
          {t('feeIs', { amount: formatMoney(row.fee, row.currency, locale) })}
        </span>
      )}
    </>
  );
  return (
    <>
      {/* On a phone an empty column gets no line. */}
      <Cell label={row.direction === 'in' ? t('in') : undefined} numeric>
        {row.direction === 'in' ? shown : null}
      </Cell>
      <Cell label={row.direction === 'out' ? t('out') : undefined} numeric>
        {row.direction === 'out' ? shown : null}
      </Cell>
    </>
  );
}

async function Small({
  row,
  receipts,
}: {
  row: WalletMovement;
  receipts: Receipts;
}): Promise<ReactNode> {
  const t = await getTranslations('wallets.movements');
  const parts: ReactNode[] = [];
  if (row.otherWallet)
    parts.push(
      <Link
        key="wallet"
        href={`/wallets/${row.otherWallet}`}
        className="text-accent hover:underline"
      >
        {t('otherWallet', { number: row.otherWallet })}
      </Link>,
    );
  if (row.refersTo && row.direction === 'in')
    parts.push(<span key="return">{t('returnOf', { id: row.refersTo })}</span>);
  if (row.receiptNumber)
    parts.push(<span key="receipt">{t('receiptNumber', { number: row.receiptNumber })}</span>);
  if (row.extId)
    parts.push(
      <span key="ext" className="font-mono">
        {row.extId}
      </span>,
    );
  const receipt = receipts.get(row.transactionId);
  // A missing receipt is requested on the entry's own page: twenty-five buttons would fill this
  // list.
  if (receipt)
    parts.push(
      <ReceiptLink
        key="paper"
        recordId={row.transactionId}
        receipt={receipt}
        mayAsk={false}
        of={row.description ?? row.transactionId}
      />,
    );
  else if (receipts.has(row.transactionId))
    parts.push(
      <Link
        key="record"
        href={`/reports/transactions/${row.transactionId}`}
        className="text-accent hover:underline"
      >
        {t('record')}
      </Link>,
    );
  if (parts.length === 0) return null;
  return (
    <span className="flex flex-wrap gap-x-3 text-label text-muted max-sm:justify-end">{parts}</span>
  );
}
