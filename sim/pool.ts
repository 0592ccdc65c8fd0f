import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Findings, Seeds } from './run.ts';
import { addStats, noStats } from './stats.ts';
import type { Reply, Task } from './thread.ts';

/** Threads that run worlds, each with code of its own. */

const SHARE = 25;

export class Thread {
  // Runs as plain Node, without the arguments of the process that starts it.
  private readonly worker = new Worker(join(import.meta.dirname, 'thread.ts'), { execArgv: [] });

  /** Runs one task in the thread. Throws an error that the worlds themselves could not catch. */
  async run(task: Task): Promise<Findings & { planted: boolean }> {
    const reply = await new Promise<Reply>((resolve, reject) => {
      const end = (settle: () => void): void => {
        this.worker.removeAllListeners('message');
        this.worker.removeAllListeners('error');
        settle();
      };
      this.worker.once('message', (message: Reply) => end(() => resolve(message)));
      this.worker.once('error', (error) => end(() => reject(error)));
      this.worker.postMessage(task);
    });
    if ('failed' in reply) throw new Error(reply.failed);
    return { ...reply.findings, planted: reply.planted };
  }

  async end(): Promise<void> {
    await this.worker.terminate();
  }
}

/** Calls `work` once for each of `threads` threads, and ends them when it is done. */
export async function onThreads(
  threads: number,
  work: (thread: Thread) => Promise<void>,
): Promise<void> {
  await Promise.all(
    Array.from({ length: threads }, async () => {
      const thread = new Thread();
      try {
        await work(thread);
      } finally {
        await thread.end();
      }
    }),
  );
}

type Share = Pick<Seeds, 'from' | 'count'>;
type PoolOptions = {
  isDone?: (share: Share) => boolean;
  onShare: (share: Share, findings: Findings, worlds: number) => void;
};

/**
 * Runs the seeds in shares; `isDone` leaves out shares of an earlier start. The same seeds are
 * always divided into the same shares.
 */
export async function runPool(
  seeds: Seeds,
  threads: number,
  { isDone = () => false, onShare }: PoolOptions,
): Promise<Findings> {
  const found: Findings = { totals: noStats(), broken: [] };
  const shares: Seeds[] = [];
  for (let from = seeds.from; from < seeds.from + seeds.count; from += SHARE)
    shares.push({ ...seeds, from, count: Math.min(SHARE, seeds.from + seeds.count - from) });
  const left = shares.filter((share) => !isDone(share)).reverse();
  await onThreads(Math.min(threads, left.length), async (thread) => {
    for (let share = left.pop(); share !== undefined; share = left.pop()) {
      const { totals, broken } = await thread.run({ seeds: share });
      addStats(found.totals, totals);
      found.broken.push(...broken);
      onShare(share, { totals, broken }, found.totals.worlds);
    }
  });
  found.broken.sort((a, b) => a.seed - b.seed);
  return found;
}
