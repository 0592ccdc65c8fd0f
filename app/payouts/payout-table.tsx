'use client';

import { useRouter } from 'next/navigation';
import { memo } from 'react';
import type { MouseEvent, ReactNode } from 'react';
import { RECEIPT_LINK } from '#components/ui/classes.ts';
import { isPlain } from '#components/ui/link.tsx';
import { ICON_STOPPED, Pill } from '#components/ui/pill.tsx';
import { Head, Table } from '#components/ui/table.tsx';
import type { ListView } from './list-view.ts';

export type ColumnWords = Record<
  'recipient' | 'iban' | 'date' | 'wallet' | 'state' | 'amount' | 'receipt',
  string
>;

export function PayoutTable({
  view: { caption, heads, rows },
  words,
}: {
  view: Pick<ListView, 'caption' | 'heads' | 'rows'>;
  words: ColumnWords;
}): ReactNode {
  return (
    <Table
      caption={caption ?? ''}
      head={
        <>
          <Head {...heads.name}>{words.recipient}</Head>
          <Head wide>{words.iban}</Head>
          <Head {...heads.date}>{words.date}</Head>
          <Head wide>{words.wallet}</Head>
          <Head>{words.state}</Head>
          <Head numeric {...heads.amount}>
            {words.amount}
          </Head>
        </>
      }
    >
      <Rows rows={rows} words={words} />
    </Table>
  );
}

/**
 * As few elements as possible in a row, and plain links: most of a list's cost, on the server and
 * in the browser, is here.
 */
const Rows = memo(function Rows({
  rows,
  words,
}: {
  rows: ListView['rows'];
  words: ColumnWords;
}): ReactNode {
  const router = useRouter();
  const open = (event: MouseEvent<HTMLAnchorElement>): void => {
    if (!isPlain(event)) return;
    event.preventDefault();
    router.push(event.currentTarget.pathname);
  };
  return rows.map((row) => (
    <tr key={row.id} className="row brief">
      <td className="first">
        <a href={`/payouts/${row.id}`} onClick={open} className="font-medium hover:underline">
          {row.name}
        </a>
      </td>
      <td data-label={words.iban} className="wide font-mono text-mono whitespace-nowrap text-muted">
        {row.iban}
      </td>
      <td data-label={words.date} className="when">
        <time dateTime={row.at} title={row.whole}>
          {row.when}
        </time>
      </td>
      <td data-label={words.wallet} className="wide">
        {row.wallet}
      </td>
      <td data-label={words.state} className="state">
        <Pill tone={row.tone} {...(row.stopped ? { icon: ICON_STOPPED } : {})}>
          {row.state}
        </Pill>
        {row.receipt !== null && (
          <a href={`/receipts/${row.receipt}/raw?download=1`} download className={RECEIPT_LINK}>
            {words.receipt}
            <span className="sr-only"> {row.name}</span>
          </a>
        )}
      </td>
      <td data-label={words.amount} className="numeric">
        {row.amount}
      </td>
    </tr>
  ));
});
