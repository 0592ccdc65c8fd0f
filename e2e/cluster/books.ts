import { setTimeout as pause } from 'node:timers/promises';
import { hurry, progress, readBooks } from '../crash/books.ts';
import { isExecutedRightly, readProviders, statesBy } from '../crash/judge.ts';
import { SENDS, type Operation } from '../crash/plan.ts';
import { rows } from '../database.ts';
import { sandbox } from '../sandbox.ts';

const CALM_MS = 5 * 60_000;
const HURRY_MS = 1_000;

/** What the provider's books say of the payouts that people prepared. */
export type Verdict = {
  asked: number;
  executed: number;
  lost: string[];
  twice: string[];
  strange: string[];
  /** Payouts whose state here differs from what the provider did. */
  differ: string[];
  /** Times without an executed payout, the longest first, in milliseconds. */
  pauses: { at: number; ms: number }[];
};

/** Waits until every payout has ended, and compares our books with the provider's. */
export async function judge(operations: readonly Operation[]): Promise<Verdict> {
  const deadline = Date.now() + CALM_MS;
  while (Date.now() < deadline) {
    const open = await progress().then(
      (found) => found.open,
      () => 1,
    );
    if (open === 0) break;
    await hurry().catch(() => undefined);
    await pause(HURRY_MS);
  }
  const books = new Map((await readBooks()).map((book) => [book.id, book]));
  const providers = await readProviders(operations, new Map());
  const of = ({ id }: Operation) => providers.executed.get(id) ?? [];
  const missing = operations.filter(({ id }) => !books.has(id));
  const known = operations.filter(({ id }) => books.has(id));
  const isRight = (one: Operation) =>
    isExecutedRightly(one, of(one), books.get(one.id)!, books.get(one.id)!.waits);
  return {
    asked: operations.length,
    executed: operations.filter((one) => of(one).length > 0).length,
    lost: [...missing, ...known.filter((one) => of(one).length === 0 && !isRight(one))].map(idOf),
    twice: operations.filter((one) => of(one).length > 1).map(idOf),
    strange: providers.strange.map(({ id }) => id),
    differ: known
      .filter(
        (one) => !statesBy(one, of(one), books.get(one.id)!).includes(books.get(one.id)!.state),
      )
      .map(idOf),
    pauses: await pausesOfPayouts(),
  };
}

/** The times at which the provider executed a send, oldest first. */
export async function executedAt(): Promise<number[]> {
  const requests = await sandbox.requests(SENDS.payout);
  return requests
    .filter(({ executed }) => executed)
    .map(({ at }) => Date.parse(at))
    .toSorted((a, b) => a - b);
}

async function pausesOfPayouts(): Promise<{ at: number; ms: number }[]> {
  const times = await executedAt();
  return times
    .slice(1)
    .map((time, nth) => ({ at: times[nth]!, ms: time - times[nth]! }))
    .toSorted((a, b) => b.ms - a.ms);
}

/** What holds sending at this moment; empty when nothing does. */
export async function stoppedBy(): Promise<string[]> {
  const found = await rows<{ cause: string }>('SELECT cause FROM send_switches WHERE off');
  return found.map(({ cause }) => cause);
}

function idOf({ id }: Operation): string {
  return id;
}
