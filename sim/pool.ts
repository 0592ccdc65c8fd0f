import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { addTotals, noTotals } from './run.ts';
import type { Findings } from './run.ts';
import type { Share } from './thread.ts';

/** Runs seeds on several threads, each with code of its own: a folder holds the simulator and the product it looks at. */

const SHARE = 25;

export type Run = { folder: string; from: number; count: number; threads: number; /** No further seeds after the first broken world. */ stopAtFirst?: boolean; onShare?: (done: number) => void };

export async function runPool(run: Run): Promise<Findings> {
  const found: Findings = { totals: noTotals(), broken: [] };
  const shares: Share[] = [];
  for (let from = run.from; from < run.from + run.count; from += SHARE) shares.push({ from, count: Math.min(SHARE, run.from + run.count - from), stopAtFirst: run.stopAtFirst ?? false });
  shares.reverse();
  await Promise.all(Array.from({ length: Math.min(run.threads, shares.length) }, () => workOff(run, shares, found)));
  found.broken.sort((a, b) => a.seed - b.seed);
  return found;
}

async function workOff(run: Run, shares: Share[], found: Findings): Promise<void> {
  const thread = new Worker(join(run.folder, 'sim', 'thread.ts'));
  try {
    for (let share = shares.pop(); share !== undefined; share = shares.pop()) {
      const { totals, broken } = await ask(thread, share);
      addTotals(found.totals, totals);
      found.broken.push(...broken);
      run.onShare?.(found.totals.worlds);
      if (run.stopAtFirst && broken.length > 0) shares.length = 0;
    }
  } finally {
    await thread.terminate();
  }
}

function ask(thread: Worker, share: Share): Promise<Findings> {
  return new Promise((resolve, reject) => {
    const end = (settle: () => void): void => {
      thread.removeAllListeners('message');
      thread.removeAllListeners('error');
      settle();
    };
    thread.once('message', (findings: Findings) => end(() => resolve(findings)));
    thread.once('error', (error) => end(() => reject(error)));
    thread.postMessage(share);
  });
}
