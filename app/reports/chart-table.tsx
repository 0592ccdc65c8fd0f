import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { Link } from '#components/ui/link.tsx';
import { Panel, Skeleton } from '#components/ui/panel.tsx';
import { Cell, Head, Row, Table } from '#components/ui/table.tsx';
import type { WalletName } from '#lib/wallets/names.ts';

/** `href`: the list of the row alone. `cells`: one text for each column. */
export type ChartRow = { key: string; name: string; href: string | null; cells: readonly string[] };

/** The numbers of a chart behind a disclosure, the newest first, with their sums. */
export async function ChartTable({
  caption,
  first,
  columns,
  rows,
  sums = null,
}: {
  caption: string;
  /** The head of the first column. */
  first: string;
  columns: readonly string[];
  /** The oldest first. */
  rows: readonly ChartRow[];
  sums?: readonly string[] | null;
}): Promise<ReactNode> {
  const t = await getTranslations('reports.chart');
  return (
    <details className="no-print border-t border-hairline">
      <summary className="px-4 py-2.5 font-medium text-accent">{t('asTable')}</summary>
      <Table
        caption={caption}
        head={
          <>
            <Head>{first}</Head>
            {columns.map((column) => (
              <Head key={column} numeric>
                {column}
              </Head>
            ))}
          </>
        }
      >
        {rows.toReversed().map(({ key, name, href, cells }) => (
          <Row key={key}>
            <Cell first>
              {href === null ? (
                name
              ) : (
                <Link
                  href={href}
                  prefetch={false}
                  className="font-medium text-accent hover:underline"
                >
                  {name}
                </Link>
              )}
            </Cell>
            {columns.map((column, n) => (
              <Cell key={column} label={column} numeric>
                {cells[n]!}
              </Cell>
            ))}
          </Row>
        ))}
        {sums !== null && (
          <tr className="row font-semibold">
            <td className="first">{t('sum')}</td>
            {columns.map((column, n) => (
              <td key={column} data-label={column} className="numeric">
                {sums[n]}
              </td>
            ))}
          </tr>
        )}
      </Table>
    </details>
  );
}

/**
 * The chart of one currency. The first is shown; each other one is behind its name, so that the
 * list stays near the top of the page.
 */
export function CurrencyChart({
  currency,
  isFirst,
  children,
}: {
  currency: string;
  isFirst: boolean;
  children: ReactNode;
}): ReactNode {
  if (isFirst) return children;
  return (
    <details className="no-print border-t border-hairline">
      <summary className="px-4 py-2.5 font-medium">{currency}</summary>
      {children}
    </details>
  );
}

/**
 * As high as what takes its place: the chart of the first currency, its table, and the other
 * currencies of the report's wallets (of all, or of one) by name.
 */
export function ChartLoading({
  wallets,
  wallet,
}: {
  wallets: readonly WalletName[];
  wallet: string | null;
}): ReactNode {
  const currencies = new Set(
    wallets
      .filter(({ number }) => wallet === null || wallet === number)
      .map(({ currency }) => currency),
  );
  return (
    <Panel list title={<Skeleton className="h-5 w-28" />}>
      <div aria-busy className="px-4 py-3">
        <Skeleton className="h-53 w-full" />
      </div>
      {[...currencies].map((currency) => (
        <div key={currency} className="border-t border-hairline px-4 py-2.5">
          <Skeleton className="h-5 w-28" />
        </div>
      ))}
    </Panel>
  );
}
