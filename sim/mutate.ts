import { drillOf } from './drills.ts';
import type { FaultName } from './knobs.ts';
import { MUTATIONS } from './mutations.ts';
import type { Mutation } from './mutations.ts';
import { misfit } from './plant.ts';
import { onThreads } from './pool.ts';
import type { Thread } from './pool.ts';
import type { Broken } from './run.ts';

/** Plants each bug in the product's own code and lets the simulator look for it there. */

/** A bug that a drill brings to light dies within this many of its worlds, and in none of them without the drill's faults. */
const DRILL_SEEDS = 60;
const SHARE = 20;

type Options = { threads: number; seeds: number; from: number; only?: string | undefined; say?: (line: string) => void };
export type Verdict = { mutation: Mutation; killedBy: Broken | null; problem: string | null };

/** True when every planted bug is found and every patch still fits. */
export async function runMutations({ say = console.log, ...options }: Options): Promise<boolean> {
  const chosen = MUTATIONS.filter((one) => options.only === undefined || options.only.split(',').includes(one.name));
  const began = performance.now();
  const verdicts: Verdict[] = [];
  const left = [...chosen].reverse();
  await onThreads(Math.max(1, options.threads), async (thread) => {
    for (let one = left.pop(); one !== undefined; one = left.pop()) {
      const verdict = await tryMutation(thread, one, options);
      verdicts.push(verdict);
      say(lineOf(verdict, options.seeds));
    }
  });
  const alive = verdicts.filter((one) => one.killedBy === null || one.problem !== null);
  say(`${verdicts.length - alive.length} of ${verdicts.length} planted bugs found in ${((performance.now() - began) / 1000).toFixed(1)} s`);
  return alive.length === 0 && verdicts.length > 0;
}

function lineOf({ mutation, killedBy, problem }: Verdict, seeds: number): string {
  if (problem !== null) return `✗ ${mutation.name}: ${problem}`;
  if (killedBy === null) return `✗ ${mutation.name} (${mutation.about}): survives ${mutation.drill === undefined ? seeds : DRILL_SEEDS} seeds`;
  const where = mutation.drill === undefined ? '' : `drill ${mutation.drill}, `;
  return `✓ ${mutation.name} (${mutation.about}): ${where}seed ${killedBy.seed}, ${killedBy.rule}: ${killedBy.what.split('\n')[0]}`;
}

/** `problem` says why a verdict proves nothing. */
export async function tryMutation(thread: Thread, mutation: Mutation, { from, seeds }: { from: number; seeds: number }): Promise<Verdict> {
  const problem = misfit(mutation);
  if (problem !== null) return { mutation, killedBy: null, problem };
  try {
    if (mutation.drill !== undefined) return await tryInDrill(thread, mutation, mutation.drill);
    for (let at = from; at < from + seeds; at += SHARE) {
      const [killedBy] = (await thread.run({ seeds: { from: at, count: SHARE, stopAtFirst: true }, bug: mutation })).broken;
      if (killedBy !== undefined) return { mutation, killedBy, problem: null };
    }
    return { mutation, killedBy: null, problem: null };
  } catch (error) {
    // Code that does not even load proves nothing about the simulator.
    return { mutation, killedBy: null, problem: error instanceof Error ? error.message : String(error) };
  }
}

async function tryInDrill(thread: Thread, mutation: Mutation, drill: string): Promise<Verdict> {
  const seeds = { from: 1, count: DRILL_SEEDS, stopAtFirst: true, drill };
  const [killedBy] = (await thread.run({ seeds, bug: mutation })).broken;
  if (killedBy === undefined) return { mutation, killedBy: null, problem: null };
  // The same worlds without the trouble: what dies there too has nothing to do with it.
  const without = Object.keys(drillOf(drill).faults) as FaultName[];
  const [control] = without.length === 0 ? [] : (await thread.run({ seeds: { ...seeds, count: killedBy.seed, without }, bug: mutation })).broken;
  return { mutation, killedBy, problem: control === undefined ? null : `seed ${control.seed} of drill ${drill} finds it without the fault too: ${control.rule}: ${control.what.split('\n')[0]}` };
}
