/** How many payouts one worker and two workers move, from approved to completed, when the provider and the bank answer at once. */
import { absolute, against, rounded, type Figure } from './figures.ts';
import { cpuMs } from './machine.ts';
import { NUMBERED, seedApproved } from './seed.ts';
import type { Stand } from './stand.ts';

const PAYOUTS = 2_000;
const WARM_UP = 200;
const PATIENCE_MS = 120_000;
const POLL_MS = 250;

export async function measurePayouts(stand: Stand): Promise<Figure[]> {
  const second = stand.stack.workers[1];
  if (second === undefined) throw new Error('two workers are needed');
  // The provider's notices would make the web work too: here the workers find everything out by asking.
  await stand.sandbox('POST', 'webhooks/mode', { drop: true, duplicate: false, reorder: false, delayMs: 0 });
  try {
    await second.stop();
    await move(stand, WARM_UP);
    const one = await move(stand, PAYOUTS);
    second.start();
    await move(stand, WARM_UP);
    const two = await move(stand, PAYOUTS);
    return [
      absolute('payouts a second, one worker', one.perSecond, '', { atLeast: 200 }, `processor time a payout: worker ${rounded(one.workerMs)} ms, sandbox ${rounded(one.sandboxMs)} ms`),
      against('payouts a second, two workers', two.perSecond, one.perSecond, '', { atLeast: 1.6 }, `processor time a payout: workers ${rounded(two.workerMs)} ms, sandbox ${rounded(two.sandboxMs)} ms`),
    ];
  } finally {
    await stand.sandbox('POST', 'webhooks/mode', { drop: false });
  }
}

async function move(stand: Stand, count: number): Promise<{ perSecond: number; workerMs: number; sandboxMs: number }> {
  const { from, to } = await seedApproved(stand, count);
  const workers = () => stand.stack.workers.map((worker) => worker.pid).filter((pid) => pid !== undefined).reduce((sum, pid) => sum + cpuMs(pid), 0);
  const sandbox = () => cpuMs(stand.stack.sandbox?.pid);
  const before = { workers: workers(), sandbox: sandbox() };
  const begun = await stand.owner.query<{ at: Date }>(`WITH due AS (UPDATE movements SET next_at = $1 WHERE ${NUMBERED} RETURNING 1) SELECT clock_timestamp() AS at, count(*) FROM due`, [new Date(), from, to]);
  await stand.owner.query(`SELECT pg_notify('due', '')`);
  const last = await lastCompleted(stand, from, to, count);
  const seconds = (last.getTime() - begun.rows[0]!.at.getTime()) / 1_000;
  return { perSecond: count / seconds, workerMs: (workers() - before.workers) / count, sandboxMs: (sandbox() - before.sandbox) / count };
}

async function lastCompleted(stand: Stand, from: number, to: number, count: number): Promise<Date> {
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end; await new Promise((resolve) => setTimeout(resolve, POLL_MS))) {
    const { rows } = await stand.owner.query<{ done: number; last: Date; states: string }>(
      `SELECT count(*) FILTER (WHERE state = $1)::int AS done, max(ended_at) AS last, string_agg(DISTINCT state, ', ') AS states FROM movements WHERE ${NUMBERED}`, ['COMPLETED', from, to]);
    if (rows[0]!.done === count) return rows[0]!.last;
    if (Date.now() + POLL_MS >= end) throw new Error(`only ${rows[0]!.done} of ${count} payouts were completed; states: ${rows[0]!.states}`);
  }
  throw new Error('no payout was looked at');
}
