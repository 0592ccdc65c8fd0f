'use client';

import {
  HydrationBoundary,
  keepPreviousData,
  QueryClient,
  QueryClientProvider,
  useQuery,
} from '@tanstack/react-query';
import type { DehydratedState } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import type { ReactNode } from 'react';
import { COLUMNS, PAGE_ROWS } from '../../rows.ts';
import type { Asked, Found } from '../../rows.ts';

export function List({ state }: { state: DehydratedState }): ReactNode {
  const [client] = useState(
    () => new QueryClient({ defaultOptions: { queries: { staleTime: 30_000 } } }),
  );
  return (
    <QueryClientProvider client={client}>
      <HydrationBoundary state={state}>
        <Rows />
      </HydrationBoundary>
    </QueryClientProvider>
  );
}

function Rows(): ReactNode {
  const [typed, setTyped] = useState<Asked>({ offset: 0, sort: '', text: '' });
  const asked = useDeferredValue(typed);
  const { data } = useQuery({
    queryKey: ['rows', asked],
    queryFn: ({ signal }) => ask(asked, signal),
    placeholderData: keepPreviousData,
  });
  return (
    <div>
      <input
        type="search"
        aria-label="Search"
        className="border"
        value={typed.text}
        onChange={(event) => setTyped({ ...typed, offset: 0, text: event.target.value })}
      />
      <table className="w-full text-sm">
        <thead>
          <tr>
            {COLUMNS.map((column) => (
              <th key={column}>
                <button
                  type="button"
                  data-sort={column}
                  onClick={() => setTyped({ ...typed, offset: 0, sort: column })}
                >
                  {column}
                </button>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {data?.rows.map((row) => (
            <tr key={row.id} className="border-t">
              {COLUMNS.map((column) => (
                <td key={column} className="p-2">
                  {row[column]}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <button
        type="button"
        id="next"
        onClick={() => setTyped({ ...typed, offset: typed.offset + PAGE_ROWS })}
      >
        Next
      </button>{' '}
      {data?.total}
    </div>
  );
}

async function ask({ offset, sort, text }: Asked, signal: AbortSignal): Promise<Found> {
  const answer = await fetch(
    `/api/rows?${new URLSearchParams({ offset: String(offset), sort, text }).toString()}`,
    { signal },
  );
  return (await answer.json()) as Found;
}
