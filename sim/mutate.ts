import { drillOf } from './drills.ts';
import type { FaultName } from './knobs.ts';
import { runPlantedTests } from './planted-tests.ts';
import { MUTATIONS } from './planted/list.ts';
import { testOf } from './planted/mutation.ts';
import type { Mutation } from './planted/mutation.ts';
import { misfit } from './plant.ts';
import { onThreads } from './pool.ts';
import type { Thread } from './pool.ts';
import type { Broken } from './run.ts';

/**
 * Plants each bug in the product's own code and searches for it there: with the simulator, and with
 * the test file that the bug names.
 */

/**
 * A bug of a drill must be found within this many of the drill's worlds, and in none of them
 * without the drill's faults.
 */
const DRILL_SEEDS = 600;
/**
 * The simulator runs this many worlds for a bug that a test file has to find, only to report
 * whether the simulator finds this bug, too.
 */
const ASIDE_SEEDS = 400;
const SHARE = 20;

type Options = {
  threads: number;
  seeds: number;
  from: number;
  only?: string | undefined;
  say?: (line: string) => void;
};
/** The simulator's result for one bug. `problem`: why this result proves nothing. */
export type Verdict = { mutation: Mutation; killedBy: Broken | null; problem: string | null };

/** Returns true when every planted bug is found by its finder, and every patch still fits. */
export async function runMutations({ say = console.log, ...options }: Options): Promise<boolean> {
  const chosen = MUTATIONS.filter(
    (one) => options.only === undefined || options.only.split(',').includes(one.name),
  );
  const began = performance.now();
  const byTests = runPlantedTests(
    chosen.filter((one) => testOf(one) !== null && misfit(one) === null),
  );
  const verdicts = await inSimulator(chosen, options, (verdict) => {
    if (testOf(verdict.mutation) === null || verdict.problem !== null)
      say(lineOf(verdict, options.seeds));
  });
  const red = await byTests;
  let found = 0;
  for (const { mutation, killedBy, problem } of verdicts) {
    const test = testOf(mutation);
    const verdict =
      test === null ? killedBy !== null && problem === null : red.get(mutation.name) === 'red';
    if (verdict) found++;
    if (test !== null && problem === null)
      say(testLineOf(mutation, test, red.get(mutation.name), killedBy));
  }
  const alone = verdicts.filter(
    ({ killedBy, problem }) => killedBy !== null && problem === null,
  ).length;
  say(
    `${found} of ${verdicts.length} planted bugs found in ${((performance.now() - began) / 1000).toFixed(1)} s`,
  );
  say(
    `the simulator alone finds ${alone} of ${verdicts.length} ` +
      `(${Math.round((100 * alone) / Math.max(1, verdicts.length))} %)`,
  );
  return found === verdicts.length && verdicts.length > 0;
}

async function inSimulator(
  chosen: readonly Mutation[],
  { threads, seeds, from }: Options,
  onVerdict: (verdict: Verdict) => void,
): Promise<Verdict[]> {
  const verdicts: Verdict[] = [];
  const left = [...chosen].reverse();
  await onThreads(Math.max(1, threads), async (thread) => {
    for (let one = left.pop(); one !== undefined; one = left.pop()) {
      const verdict = await tryMutation(thread, one, {
        from,
        seeds: testOf(one) === null ? seeds : Math.min(seeds, ASIDE_SEEDS),
      });
      verdicts.push(verdict);
      onVerdict(verdict);
    }
  });
  return verdicts;
}

function lineOf({ mutation, killedBy, problem }: Verdict, seeds: number): string {
  if (problem !== null) return `✗ ${mutation.name}: ${problem}`;
  if (killedBy === null)
    return (
      `✗ ${mutation.name} (${mutation.about}): survives ` +
      `${mutation.drill === undefined ? seeds : DRILL_SEEDS} seeds`
    );
  const where = mutation.drill === undefined ? '' : `drill ${mutation.drill}, `;
  return (
    `✓ ${mutation.name} (${mutation.about}): ${where}seed ${killedBy.seed}, ${killedBy.rule}: ` +
    `${killedBy.what.split('\n')[0]}`
  );
}

function testLineOf(
  { name, about }: Mutation,
  test: string,
  result: string | undefined,
  killedBy: Broken | null,
): string {
  const also =
    killedBy === null ? '' : `; the simulator too: seed ${killedBy.seed}, ${killedBy.rule}`;
  return result === 'red'
    ? `✓ ${name} (${about}): ${test}${also}`
    : `✗ ${name} (${about}): ${result ?? `nobody ran ${test}`}${also}`;
}

/** Searches for one bug with the simulator. */
export async function tryMutation(
  thread: Thread,
  mutation: Mutation,
  { from, seeds }: { from: number; seeds: number },
): Promise<Verdict> {
  const problem = misfit(mutation);
  if (problem !== null) return { mutation, killedBy: null, problem };
  try {
    if (mutation.drill !== undefined) return await tryInDrill(thread, mutation, mutation.drill);
    for (const share of sharesOf(mutation, from, seeds)) {
      const {
        broken: [killedBy],
        planted,
      } = await thread.run({
        seeds: { ...share, stopAtFirst: true, side: mutation.side ?? 'wallet' },
        bug: mutation,
      });
      if (killedBy !== undefined)
        return {
          mutation,
          killedBy,
          problem: await halfProblem(thread, mutation, { from, count: killedBy.seed - from + 1 }),
        };
      if (!planted) break;
    }
    return { mutation, killedBy: null, problem: null };
  } catch (error) {
    // Code that cannot be loaded proves nothing about the simulator.
    return {
      mutation,
      killedBy: null,
      problem: error instanceof Error ? error.message : String(error),
    };
  }
}

/** The worlds to search, in this order. */
function* sharesOf(
  { world }: Mutation,
  from: number,
  seeds: number,
): Generator<{ from: number; count: number }> {
  if (world !== undefined) yield { from: world, count: 1 };
  for (let at = from; at < from + seeds; at += SHARE) yield { from: at, count: SHARE };
}

/**
 * Why a pair of bugs proves nothing: one half alone is found in the same worlds. Null when neither
 * half is found, and for a single bug.
 */
async function halfProblem(
  thread: Thread,
  { halves = [], side = 'wallet' }: Mutation,
  worlds: { from: number; count: number },
): Promise<string | null> {
  for (const half of halves) {
    const {
      broken: [alone],
    } = await thread.run({
      seeds: { ...worlds, stopAtFirst: true, side },
      bug: { ...half, name: `${half.name}-alone` },
    });
    if (alone !== undefined)
      return `its half ${half.name} is found alone, by seed ${alone.seed}: ${alone.rule}`;
  }
  return null;
}

async function tryInDrill(thread: Thread, mutation: Mutation, drill: string): Promise<Verdict> {
  const seeds = { from: 1, count: DRILL_SEEDS, stopAtFirst: true, drill };
  const [killedBy] = (await thread.run({ seeds, bug: mutation })).broken;
  if (killedBy === undefined) return { mutation, killedBy: null, problem: null };
  // The control: the same worlds without the drill's faults. A bug that they find has nothing to do
  // with the drill.
  const without = Object.keys(drillOf(drill).faults) as FaultName[];
  const [control] =
    without.length === 0
      ? []
      : (await thread.run({ seeds: { ...seeds, count: killedBy.seed, without }, bug: mutation }))
          .broken;
  return {
    mutation,
    killedBy,
    problem:
      control === undefined
        ? null
        : `seed ${control.seed} of drill ${drill} finds it without the fault too: ` +
          `${control.rule}: ${control.what.split('\n')[0]}`,
  };
}
