'use client';

import { useRouter } from 'next/navigation';
import { memo } from 'react';
import type { MouseEvent, ReactNode } from 'react';
import { PICK_FORM } from '#components/pick-form.ts';
import { PickPage } from '#components/picked-rows.tsx';
import { PICK_BOX, RECEIPT_LINK } from '#components/ui/classes.ts';
import { isPlain } from '#components/ui/link.tsx';
import { ICON_RELEASED, ICON_STOPPED, Pill } from '#components/ui/pill.tsx';
import { Head, Table } from '#components/ui/table.tsx';
import type { ColumnOf } from '#lib/list-columns/columns.ts';
import type { ListView } from './list-view.ts';

/** `pickOne` has a place for the row's name: `{name}`. */
export type ColumnWords = Record<
  | 'recipient'
  | 'iban'
  | 'date'
  | 'wallet'
  | 'state'
  | 'amount'
  | 'receipt'
  | 'pickPage'
  | 'pickOne',
  string
>;

export type HiddenColumns = readonly ColumnOf<'payouts'>[];

export function PayoutTable({
  view: { caption, heads, rows },
  words,
  canPick,
  hidden,
}: {
  view: Pick<ListView, 'caption' | 'heads' | 'rows'>;
  words: ColumnWords;
  canPick: boolean;
  hidden: HiddenColumns;
}): ReactNode {
  return (
    <Table
      caption={caption ?? ''}
      head={
        <>
          <Head {...heads.name} before={canPick && <PickPage label={words.pickPage} />}>
            {words.recipient}
          </Head>
          {!hidden.includes('iban') && <Head wide>{words.iban}</Head>}
          <Head {...heads.date}>{words.date}</Head>
          {!hidden.includes('wallet') && <Head wide>{words.wallet}</Head>}
          <Head>{words.state}</Head>
          <Head numeric {...heads.amount}>
            {words.amount}
          </Head>
        </>
      }
    >
      <Rows rows={rows} words={words} canPick={canPick} hidden={hidden} />
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
  canPick,
  hidden,
}: {
  rows: ListView['rows'];
  words: ColumnWords;
  canPick: boolean;
  hidden: HiddenColumns;
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
        <span className="flex items-center gap-3">
          {canPick && (
            <PickBox id={row.id} label={words.pickOne.replace('{name}', () => row.name)} />
          )}
          <a href={`/payouts/${row.id}`} onClick={open} className="font-medium hover:underline">
            {row.name}
          </a>
        </span>
      </td>
      {!hidden.includes('iban') && (
        <td
          data-label={words.iban}
          className="wide font-mono text-mono whitespace-nowrap text-muted"
        >
          {row.iban}
        </td>
      )}
      <td data-label={words.date} className="when">
        <time dateTime={row.at} title={row.whole}>
          {row.when}
        </time>
      </td>
      {!hidden.includes('wallet') && (
        <td data-label={words.wallet} className="wide">
          {row.wallet}
        </td>
      )}
      <td data-label={words.state} className="state">
        <Pill tone={row.tone} {...(row.stopped ? { icon: ICON_STOPPED } : {})}>
          {row.state}
        </Pill>
        {row.released !== null && (
          <Pill tone="attention" icon={ICON_RELEASED}>
            {row.released}
          </Pill>
        )}
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

function PickBox({ id, label }: { id: string; label: string }): ReactNode {
  return (
    <input
      type="checkbox"
      name="pick"
      value={id}
      form={PICK_FORM}
      aria-label={label}
      className={PICK_BOX}
    />
  );
}
