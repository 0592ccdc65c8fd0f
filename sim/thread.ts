/** The part of a run that one thread does: it receives seeds and returns findings. */
import { parentPort } from 'node:worker_threads';
import type { Mutation } from './planted/mutation.ts';
import { wasPlanted, withBug } from './plant.ts';
import { runSeeds } from './run.ts';
import type { Findings, Seeds } from './run.ts';
import { noStats } from './stats.ts';

/** `bug`: a bug to plant in the product before these worlds run. */
export type Task = { seeds: Seeds; bug?: Mutation };
/** `planted`: whether the worlds import code that the bug patches. */
export type Reply = { findings: Findings; planted: boolean } | { failed: string };

parentPort?.on('message', (task: Task) => {
  void answer(task).then((reply) => parentPort?.postMessage(reply));
});

async function answer({ seeds, bug }: Task): Promise<Reply> {
  try {
    if (bug === undefined) return { findings: runSeeds(seeds), planted: false };
    const buggy = await withBug(bug);
    return {
      findings: wasPlanted(bug) ? buggy.runSeeds(seeds) : { totals: noStats(), broken: [] },
      planted: wasPlanted(bug),
    };
  } catch (error) {
    return { failed: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}
