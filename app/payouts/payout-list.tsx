'use client';

import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query';
import type { UseQueryResult } from '@tanstack/react-query';
import { useSearchParams } from 'next/navigation';
import { useEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { drawnAt } from '#components/ui/drawn-at.ts';
import { LiveChangesSince } from '#components/live.tsx';
import type { LiveWords } from '#components/live.tsx';
import { ListSums } from '#components/list-sums.tsx';
import { ListPlaceContext } from '#components/ui/list-place.ts';
import type { ListPlace } from '#components/ui/list-place.ts';
import { Banner } from '#components/ui/banner.tsx';
import { Button, LinkButton } from '#components/ui/button.tsx';
import { EmptyState, PageHead, Panel } from '#components/ui/panel.tsx';
import { Chip, Pager, Tab, Tabs } from '#components/ui/table.tsx';
import type { ListView } from './list-view.ts';
import { PayoutTable } from './payout-table.tsx';
import type { ColumnWords, HiddenColumns } from './payout-table.tsx';
import { PickBar } from './pick-bar.tsx';
import type { PickRights, PickWords } from './pick-bar.tsx';
import { filterKey, searchKey } from './search-key.ts';

const PATH = '/payouts';
/**
 * How long fetched rows count as fresh. Older rows are shown only until newer ones arrive; rows of
 * a view that is no longer shown are dropped after the same time.
 */
const FRESH_MS = 5_000;

export type ListWords = Record<
  'views' | 'chips' | 'pages' | 'previous' | 'next' | 'totals' | 'retry',
  string
> & { columns: ColumnWords; live: LiveWords; picks: PickWords };
type Props = {
  first: ListView;
  words: ListWords;
  picks: PickRights;
  hidden: HiddenColumns;
  /** The database snapshot of the drawing of the page. */
  since: string | null;
  title: string;
  /** The buttons in the line of the title. */
  actions: ReactNode;
  /** The filter form. */
  children: ReactNode;
};

/**
 * The list of payouts. The server draws the first rows with the page; other views are fetched as
 * data, and the address names the view.
 */
export function PayoutList(props: Props): ReactNode {
  const [client] = useState(
    () =>
      new QueryClient({
        defaultOptions: {
          queries: {
            retry: false,
            networkMode: 'always',
            refetchOnWindowFocus: false,
            refetchOnReconnect: false,
            staleTime: FRESH_MS,
            gcTime: FRESH_MS,
          },
        },
      }),
  );
  return (
    <QueryClientProvider client={client}>
      <Followed {...props} client={client} />
    </QueryClientProvider>
  );
}

function Followed({
  first,
  words,
  picks,
  hidden,
  since,
  title,
  actions,
  children,
  client,
}: Props & { client: QueryClient }): ReactNode {
  const { key, view, query } = useShownView(first, client);
  const place = useListPlace(client, view.key);
  const failed = query.isError && !query.isFetching;
  return (
    <ListPlaceContext value={place}>
      <PageHead
        title={title}
        live={
          <LiveChangesSince
            kinds={['movement']}
            onMerge={async () => void (await query.refetch())}
            since={since}
            words={words.live}
          />
        }
      >
        {actions}
      </PageHead>
      <div className="grid gap-3">
        <Tabs label={words.views}>
          {view.tabs.map((tab) => (
            <Tab key={tab.href} href={tab.href} current={tab.current} waiting={tab.count}>
              {tab.text}
            </Tab>
          ))}
        </Tabs>
        {children}
        {view.chips.length > 0 && (
          <ul aria-label={words.chips} className="flex flex-wrap gap-2">
            {view.chips.map((chip) => (
              <li key={chip.href}>
                <Chip href={chip.href} remove={chip.remove}>
                  {chip.text}
                </Chip>
              </li>
            ))}
          </ul>
        )}
        {failed && (
          <Banner
            tone="attention"
            actions={<Button onClick={() => void query.refetch()}>{words.retry}</Button>}
          >
            {view.stale}
          </Banner>
        )}
        <Shown view={view} busy={view.key !== key} words={words} picks={picks} hidden={hidden} />
      </div>
    </ListPlaceContext>
  );
}

/** The rows with their sums and pages, and what can be done with those that are ticked. */
function Shown({
  view,
  busy,
  words,
  picks,
  hidden,
}: Pick<Props, 'words' | 'picks' | 'hidden'> & { view: ListView; busy: boolean }): ReactNode {
  const canPick = Object.values(picks).includes(true);
  return (
    <div>
      <div
        aria-busy={busy}
        className={`transition-opacity delay-150 duration-150 ${busy ? 'opacity-60' : ''}`}
      >
        <Panel list>
          {view.empty === null ? (
            <PayoutTable view={view} words={words.columns} canPick={canPick} hidden={hidden} />
          ) : (
            <Empty {...view.empty} />
          )}
          <div className="border-t border-hairline">
            <Pager label={words.pages} words={words} previous={view.newer} next={view.older}>
              {view.totals && <ListSums about={words.totals} {...view.totals} />}
            </Pager>
          </div>
        </Panel>
      </div>
      {canPick && (
        <PickBar
          may={picks}
          drawn={`${view.key} ${view.rows.map(({ id }) => id).join(' ')}`}
          words={words.picks}
        />
      )}
    </div>
  );
}

/** The list view that the address names; the previous view stays until the new one has loaded. */
function useShownView(
  first: ListView,
  client: QueryClient,
): { key: string; view: ListView; query: UseQueryResult<ListView> } {
  const key = searchKey(new URLSearchParams(useSearchParams()));
  const query = useQuery({
    ...viewOf(key),
    ...(key === first.key
      ? { initialData: first, initialDataUpdatedAt: drawnAt(first, PATH) }
      : {}),
  });
  // The server drew the page again: another language, a new sign-in, or the same link once more.
  useEffect(
    () =>
      void client.setQueryData(viewOf(first.key).queryKey, first, {
        updatedAt: drawnAt(first, PATH),
      }),
    [client, first],
  );
  const [view, setView] = useState(query.data ?? first);
  if (query.data !== undefined && query.data !== view) setView(query.data);
  return { key, view, query };
}

function Empty({ title, text, href, action }: NonNullable<ListView['empty']>): ReactNode {
  return (
    <EmptyState
      title={title}
      actions={href === undefined ? undefined : <LinkButton href={href}>{action}</LinkButton>}
    >
      {text}
    </EmptyState>
  );
}

function useListPlace(client: QueryClient, shown: string): ListPlace {
  const toTop = useRef(false);
  // Scrolls after the rows have arrived.
  useEffect(() => {
    if (toTop.current) window.scrollTo(0, 0);
    toTop.current = false;
  }, [shown]);
  const [place] = useState<ListPlace>(() => {
    const ahead = (href: string): void =>
      void client.prefetchQuery(viewOf(searchKey(new URL(href, location.origin).searchParams)));
    return {
      has: (href) => href === PATH || href.startsWith(`${PATH}?`),
      ahead,
      go(href, { scroll }) {
        toTop.current = scroll;
        // The network takes longest: the rows are fetched before the router handles the address.
        ahead(href);
        window.history.pushState(null, '', href);
      },
    };
  });
  return place;
}

type Asking = { signal: AbortSignal; client: QueryClient };

function viewOf(key: string): {
  queryKey: [string, string];
  queryFn: (context: Asking) => Promise<ListView>;
} {
  return {
    queryKey: ['payouts', key],
    queryFn: ({ signal, client }) => readView(key, signal, totalsOf(client, key)),
  };
}

/**
 * Totals from a loaded view with the same filter: another page or order has the same totals. Null
 * when this view itself is loaded already, because a refresh after a change needs new totals.
 */
function totalsOf(client: QueryClient, key: string): Pick<ListView, 'caption' | 'totals'> | null {
  const shown = client
    .getQueriesData<ListView>({ queryKey: ['payouts'] })
    .flatMap(([, view]) => view ?? []);
  return shown.some((view) => view.key === key)
    ? null
    : (shown.findLast((view) => filterKey(view.key) === filterKey(key)) ?? null);
}

/** @throws the error of the fetch; an expired session leads to the sign-in, and back here. */
async function readView(
  key: string,
  signal: AbortSignal,
  known: Pick<ListView, 'caption' | 'totals'> | null,
): Promise<ListView> {
  const response = await fetch(`/api/payouts?${key}${known === null ? '' : '&with=rows'}`, {
    signal,
    cache: 'no-store',
  });
  if (response.status === 401) location.reload();
  if (!response.ok) throw new Error(`the list was answered with ${response.status}`);
  const view = (await response.json()) as ListView;
  return known === null ? view : { ...view, caption: known.caption, totals: known.totals };
}
