import type { ReactNode } from 'react';
import type { Person } from '#lib/access/actor.ts';
import { mayNow } from '#lib/access/actor.ts';
import { BATCH_FLAGS, viewBatchApproval } from '#lib/batches/approval/view.ts';
import { readRunRows, ROW_GROUPS } from '#lib/batches/run/view.ts';
import type { RunView as View } from '#lib/batches/run/view.ts';
import { walletNames } from '#lib/wallets/names.ts';
import { ApprovalOfBatch, SEND_BACK_FORM } from './approval.tsx';
import { RunRows } from './run-rows.tsx';
import { RunView } from './run-view.tsx';

const PAGE_ROWS = 50;

/**
 * The page of a submitted batch. `state`, `flag`, `after` and `row` are the address's: a group, what an
 * approver looks at, the row before the first one, and a row to begin with.
 */
export async function SubmittedBatch({
  person,
  view,
  state,
  flag: asked,
  after,
  row,
}: {
  person: Person;
  view: View;
  state: string | undefined;
  flag: string | undefined;
  after: string | undefined;
  row: string | undefined;
}): Promise<ReactNode> {
  const wanted = numberOf(row);
  const group = wanted === null ? (ROW_GROUPS.find((one) => one === state) ?? null) : null;
  const from = wanted === null ? (numberOf(after) ?? 0) : wanted - 1;
  const flag = BATCH_FLAGS.find((one) => one === asked) ?? null;
  const approval = await viewBatchApproval(person, view.id);
  const only = flag === null || wanted !== null ? null : (approval?.flags[flag] ?? []);
  const [rows, wallets] = await Promise.all([
    readRunRows(person, view.id, { group, only, after: from, most: PAGE_ROWS + 1 }),
    walletNames(person),
  ]);
  const mayDecide =
    approval !== null &&
    approval.waits &&
    mayNow(person, 'movement.approve') &&
    (approval.barred === null || approval.barred === 'role');
  const shown = rows.slice(0, PAGE_ROWS);
  const address = (last: number | null): string => {
    const query = new URLSearchParams({
      ...(group === null ? {} : { state: group }),
      ...(flag === null ? {} : { flag }),
      ...(last === null ? {} : { after: String(last) }),
    });
    return `/batches/${view.id}${query.size === 0 ? '' : `?${query}`}`;
  };
  return (
    <RunView
      view={view}
      role={person.role}
      walletName={wallets.find(({ number }) => number === view.wallet)?.name ?? view.wallet}
      group={group}
      approval={
        approval && <ApprovalOfBatch person={person} view={view} approval={approval} flag={flag} />
      }
    >
      <RunRows
        view={view}
        ticks={mayDecide ? SEND_BACK_FORM : null}
        rows={shown}
        previous={from <= 0 ? null : address(null)}
        current={wanted}
        next={rows.length > PAGE_ROWS ? address(shown.at(-1)!.number) : null}
      />
    </RunView>
  );
}

function numberOf(text: string | undefined): number | null {
  return /^[1-9]\d{0,6}$/.test(text ?? '') ? Number(text) : null;
}
