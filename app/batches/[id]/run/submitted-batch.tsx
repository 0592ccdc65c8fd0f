import type { ReactNode } from 'react';
import type { Person } from '#lib/access/actor.ts';
import { readRunRows, ROW_GROUPS } from '#lib/batches/run/view.ts';
import type { RunView as View } from '#lib/batches/run/view.ts';
import { walletNames } from '#lib/wallets/names.ts';
import { RunRows } from './run-rows.tsx';
import { RunView } from './run-view.tsx';

const PAGE_ROWS = 50;

/** The page of a submitted batch. `state` and `after` are the address's: a group, and a row. */
export async function SubmittedBatch({
  person,
  view,
  state,
  after,
}: {
  person: Person;
  view: View;
  state: string | undefined;
  after: string | undefined;
}): Promise<ReactNode> {
  const group = ROW_GROUPS.find((one) => one === state) ?? null;
  const from = /^\d{1,7}$/.test(after ?? '') ? Number(after) : 0;
  const [rows, wallets] = await Promise.all([
    readRunRows(person, view.id, { group, after: from, most: PAGE_ROWS + 1 }),
    walletNames(person),
  ]);
  const shown = rows.slice(0, PAGE_ROWS);
  const address = (row: number | null): string => {
    const query = new URLSearchParams({
      ...(group === null ? {} : { state: group }),
      ...(row === null ? {} : { after: String(row) }),
    });
    return `/batches/${view.id}${query.size === 0 ? '' : `?${query}`}`;
  };
  return (
    <RunView
      view={view}
      role={person.role}
      walletName={wallets.find(({ number }) => number === view.wallet)?.name ?? view.wallet}
      group={group}
    >
      <RunRows
        view={view}
        rows={shown}
        previous={from === 0 ? null : address(null)}
        next={rows.length > PAGE_ROWS ? address(shown.at(-1)!.number) : null}
      />
    </RunView>
  );
}
