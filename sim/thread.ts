/** One core's part of a run: seeds come in, findings go out. */
import { parentPort } from 'node:worker_threads';
import type { Mutation } from './mutations.ts';
import { withBug } from './plant.ts';
import { runSeeds } from './run.ts';
import type { Findings, Seeds } from './run.ts';

/** `bug`: in these worlds the product has it. */
export type Task = { seeds: Seeds; bug?: Mutation };
export type Reply = { findings: Findings } | { failed: string };

parentPort?.on('message', (task: Task) => {
  void answer(task).then((reply) => parentPort?.postMessage(reply));
});

async function answer({ seeds, bug }: Task): Promise<Reply> {
  try {
    return { findings: (bug === undefined ? runSeeds : (await withBug(bug)).runSeeds)(seeds) };
  } catch (error) {
    return { failed: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}
