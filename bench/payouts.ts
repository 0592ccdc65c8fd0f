/**
 * Measures how many payouts one worker and two workers move from approved to completed: when the
 * provider and the bank answer at once, and when the provider takes its time.
 */
import { availableParallelism } from 'node:os';
import { absolute, against, rounded, type Figure } from './figures.ts';
import { cpuMs } from './machine.ts';
import { NUMBERED, seedApproved } from './seed.ts';
import type { Stand } from './stand.ts';

const PAYOUTS = 1_000;
const WARM_UP = 200;
/** A provider over the internet: the processors rest while a worker waits. */
export const SLOW_MS = 250;
const SLOW_PAYOUTS = 150;
const PATIENCE_MS = 120_000;
const POLL_MS = 250;

export async function measurePayouts(stand: Stand): Promise<Figure[]> {
  const second = stand.stack.workers[1];
  if (second === undefined) throw new Error('two workers are needed');
  return withoutWebhooks(stand, async () => {
    await second.stop();
    await movePayouts(stand, WARM_UP);
    const one = await movePayouts(stand, PAYOUTS);
    const slowOne = await moveSlowly(stand);
    second.start();
    await movePayouts(stand, WARM_UP);
    const slowTwo = await moveSlowly(stand);
    await movePayouts(stand, WARM_UP);
    const two = await movePayouts(stand, PAYOUTS);
    return [
      absolute('payouts a second, one worker', one.perSecond, '', { atLeast: 200 }, describe(one)),
      absolute('processor time a payout, one worker', processorMs(one), 'ms'),
      against(
        'payouts a second, two workers',
        two.perSecond,
        one.perSecond,
        '',
        { atLeast: 1.5 },
        describe(two),
      ),
      against(
        `the same, of a provider that answers after ${SLOW_MS} ms`,
        slowTwo.perSecond,
        slowOne.perSecond,
        '',
        { atLeast: 1.5 },
      ),
    ];
  });
}

/** The provider's webhooks would make the web work too, so they are dropped and the workers poll. */
export async function withoutWebhooks<T>(stand: Stand, work: () => Promise<T>): Promise<T> {
  await stand.sandbox('POST', 'webhooks/mode', {
    drop: true,
    duplicate: false,
    reorder: false,
    delayMs: 0,
  });
  try {
    return await work();
  } finally {
    await stand.sandbox('POST', 'webhooks/mode', { drop: false });
  }
}

const moveSlowly = (stand: Stand): Promise<Moved> =>
  withSlowProvider(stand, () => movePayouts(stand, SLOW_PAYOUTS));

/** Runs `work` while the provider answers every call after `SLOW_MS`. */
export async function withSlowProvider<T>(stand: Stand, work: () => Promise<T>): Promise<T> {
  const every = { operation: '*', times: 1_000_000 };
  await stand.sandbox('POST', 'faults', { ...every, kind: 'delay', ms: SLOW_MS });
  try {
    return await work();
  } finally {
    await stand.sandbox('DELETE', 'faults');
  }
}

export type Moved = {
  perSecond: number;
  /** Processor time per payout in milliseconds. */
  cost: Record<'worker' | 'sandbox' | 'PostgreSQL', number>;
};

/** Approves `count` payouts at once, and waits until the workers that run have completed them. */
export async function movePayouts(stand: Stand, count: number): Promise<Moved> {
  const { from, to } = await seedApproved(stand, count);
  const { workers, sandbox, postgres } = stand.stack;
  const spent = () => ({
    worker: cpuMs(workers.map((worker) => worker.pid)),
    sandbox: cpuMs([sandbox?.pid]),
    PostgreSQL: cpuMs([postgres?.process.pid]),
  });
  const before = spent();
  const begun = await stand.owner.query<{ at: Date }>(
    `WITH due AS (UPDATE movements SET next_at = $1 WHERE ${NUMBERED} RETURNING 1)
      SELECT clock_timestamp() AS at, count(*) FROM due`,
    [new Date(), from, to],
  );
  await stand.owner.query(`SELECT pg_notify('due', '')`);
  const last = await lastCompleted(stand, from, to, count);
  const after = spent();
  const each = (name: keyof typeof after) => (after[name] - before[name]) / count;
  return {
    perSecond: (count * 1_000) / (last.getTime() - begun.rows[0]!.at.getTime()),
    cost: { worker: each('worker'), sandbox: each('sandbox'), PostgreSQL: each('PostgreSQL') },
  };
}

/**
 * Describes how many payouts a second the machine's processors allow when no other program uses
 * them. This figure can be compared also when it was measured on a busy machine.
 */
function describe({ cost }: Pick<Moved, 'cost'>): string {
  const all = processorMs({ cost });
  const parts = Object.entries(cost).map(([name, ms]) => `${name} ${rounded(ms)}`);
  return (
    `processor ms a payout: ${parts.join(', ')}; an idle machine's ${availableParallelism()} ` +
    `cores allow ${Math.round((availableParallelism() * 1_000) / all)} a second`
  );
}

export function processorMs({ cost }: Pick<Moved, 'cost'>): number {
  return Object.values(cost).reduce((sum, ms) => sum + ms, 0);
}

async function lastCompleted(stand: Stand, from: number, to: number, count: number): Promise<Date> {
  for (
    const end = Date.now() + PATIENCE_MS;
    Date.now() < end;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  ) {
    const { rows } = await stand.owner.query<{ done: number; last: Date; states: string }>(
      `SELECT count(*) FILTER (WHERE state = $1)::int AS done, max(ended_at) AS last,
        string_agg(DISTINCT state, ', ') AS states FROM movements WHERE ${NUMBERED}`,
      ['COMPLETED', from, to],
    );
    if (rows[0]!.done === count) return rows[0]!.last;
    if (Date.now() + POLL_MS >= end)
      throw new Error(
        `only ${rows[0]!.done} of ${count} payouts were completed; states: ${rows[0]!.states}`,
      );
  }
  throw new Error('no payout was looked at');
}
