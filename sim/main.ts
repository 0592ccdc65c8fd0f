/**
 * `npm run sim -- --seeds 20000`: runs that many worlds from seed 1 (or `--seed`) on; it resumes
 * where it was stopped, unless `--anew`. `--commit`: runs the 2,000 worlds that belong to the
 * commit that is checked out. `--seed S` alone replays one world; `--trace` prints what happens in
 * it. `--mutations` plants bugs in copies of the product and requires each of them to be found.
 */
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { Campaign } from './campaign.ts';
import { DRILLS } from './drills.ts';
import { cardStatLines } from './card/figures.ts';
import { FAULT_NAMES } from './knobs.ts';
import type { Choice } from './knobs.ts';
import { runMutations } from './mutate.ts';
import { ANY_FAULT_NAMES, partsOf, play } from './play.ts';
import type { AnyFaultName } from './play.ts';
import { runPool } from './pool.ts';
import { runSeeds } from './run.ts';
import type { Broken } from './run.ts';
import { codeHash, commit, RANGE, rangeOf } from './seeds.ts';
import { shrink } from './shrink.ts';
import type { Stats } from './stats.ts';
import { RULES } from './violation.ts';
import { SIDES } from './side.ts';
import type { Side } from './side.ts';

const SEEDS = 5_000;
const MUTATION_SEEDS = 8_000;
const TRACE_LINES = 400;
const SHOWN_FAILURES = 10;

const { values } = parseArgs({
  options: {
    seeds: { type: 'string' },
    seed: { type: 'string' },
    trace: { type: 'boolean' },
    threads: { type: 'string' },
    mutations: { type: 'boolean' },
    only: { type: 'string' },
    commit: { type: 'boolean' },
    anew: { type: 'boolean' },
    drill: { type: 'string' },
    needs: { type: 'string' },
    without: { type: 'string' },
    side: { type: 'string' },
  },
});

const threads = number(values.threads, 'threads') ?? Math.min(2, availableParallelism());
const seed = number(values.seed, 'seed');
const seeds = number(values.seeds, 'seeds');
const drill = {
  ...(values.drill === undefined ? {} : { drill: drillNamed(values.drill) }),
  ...(values.side === undefined ? {} : { side: sideNamed(values.side) }),
};

if (values.mutations)
  process.exit(
    (await runMutations({
      threads,
      seeds: seeds ?? MUTATION_SEEDS,
      from: seed ?? 1,
      only: values.only,
    }))
      ? 0
      : 1,
  );
else if (seed !== undefined && seeds === undefined)
  process.exit(replay({ seed, ...drill, ...parts() }, values.trace ?? false) ? 0 : 1);
else if (values.commit) process.exit((await runOfCommit(Math.min(seeds ?? RANGE, RANGE))) ? 0 : 1);
else process.exit((await run(seed ?? 1, seeds ?? SEEDS)) ? 0 : 1);

/**
 * Runs the worlds that belong to this commit alone, of both sides unless `--side` names one, and
 * stores no result.
 */
async function runOfCommit(count: number): Promise<boolean> {
  const hash = commit();
  const from = rangeOf(hash);
  const began = performance.now();
  const { totals, broken } = await runPool({ from, count, ...drill }, threads, {
    onShare: () => undefined,
  });
  return judge(
    {
      ...timed(totals, began),
      what: `worlds of ${hash.slice(0, 12)} (seeds ${from} to ${from + count - 1})`,
    },
    broken,
  );
}

async function run(from: number, count: number): Promise<boolean> {
  const campaign = new Campaign(
    { from, count, ...drill },
    { code: codeHash(), commit: commit(), anew: values.anew ?? false },
  );
  if (campaign.resumed > 0)
    console.log(
      `${campaign.resumed} of ${count} worlds were done by an earlier start; --anew does them again.`,
    );
  retryRed(campaign);
  const began = performance.now();
  let shownAt = began;
  const { totals } = await runPool({ from, count, ...drill }, threads, {
    isDone: (share) => campaign.isDone(share),
    onShare(share, findings) {
      campaign.done(share, findings);
      if (performance.now() - shownAt < 10_000) return;
      shownAt = performance.now();
      console.log(`  ${campaign.totals.worlds} of ${count} worlds`);
    },
  });
  return judge(
    {
      ...timed(totals, began),
      totals: campaign.totals,
      what: `worlds (seeds ${from} to ${from + count - 1})`,
    },
    [...campaign.red],
  );
}

/** Runs the worlds again that were red in an earlier run, before any new world. */
function retryRed(campaign: Campaign): void {
  for (const red of [...campaign.red].sort((a, b) => a.seed - b.seed)) {
    const [now] = runSeeds({ from: red.seed, count: 1, ...drill }).broken;
    campaign.tried(red.seed, now ?? null);
    const was = `${red.rule} at ${red.commit.slice(0, 12)}`;
    console.log(
      now === undefined
        ? `seed ${red.seed} is green now; it broke ${was}`
        : `seed ${red.seed} still breaks ${now.rule} (${was})`,
    );
  }
}

type Ran = { totals: Stats; what: string; seconds: number; worlds: number };

function timed(totals: Stats, began: number): Omit<Ran, 'what'> {
  return { totals, worlds: totals.worlds, seconds: (performance.now() - began) / 1000 };
}

/** Prints what a run found. Returns true when no rule was broken. */
function judge({ totals, what, seconds, worlds }: Ran, broken: readonly Broken[]): boolean {
  console.log(
    `${totals.worlds} ${what} in ${seconds.toFixed(1)} s on ${threads} threads: ` +
      `${Math.round(worlds / seconds)} worlds/s`,
  );
  console.log(summary(totals));
  if (broken.length === 0) {
    console.log('No rule was broken.');
    return true;
  }
  console.log(`\n${broken.length} worlds broke a rule:`);
  for (const one of broken.slice(0, SHOWN_FAILURES))
    console.log(`  seed ${one.seed}: ${one.rule} (${RULES[one.rule]}): ${one.what.split('\n')[0]}`);
  const [first] = broken;
  console.log(`\nSeed ${first!.seed}, made as small as it goes:`);
  replay(shrink({ seed: first!.seed, ...drill }), true);
  return false;
}

/** Runs one world again and prints what happens in it. Returns true when no rule is broken. */
function replay(choice: Choice, traced: boolean): boolean {
  const { stats, broken, trace } = play(choice, traced);
  if (traced) {
    const left = trace.length - TRACE_LINES;
    console.log(
      left > 0 ? [`… ${left} earlier lines`, ...trace.slice(left)].join('\n') : trace.join('\n'),
    );
    console.log(`\n${partsOf(choice).description}`);
  }
  console.log(summary(stats));
  console.log(
    broken === null
      ? 'No rule was broken.'
      : `${broken.rule} (${RULES[broken.rule]}): ${broken.what}`,
  );
  const kept = choice.needs === undefined ? '' : ` --needs ${choice.needs.join(',')}`;
  const { faults } = partsOf({ ...choice, without: [] });
  const dropped = choice.without?.filter((name) => faults.includes(name)) ?? [];
  const without = dropped.length === 0 ? '' : ` --without ${dropped.join(',')}`;
  const drill = choice.drill === undefined ? '' : ` --drill ${choice.drill}`;
  const side = choice.side === undefined ? '' : ` --side ${choice.side}`;
  if (broken !== null)
    console.log(
      `Again: npm run sim -- --seed ${choice.seed}${drill}${side}${kept}${without} --trace`,
    );
  return broken === null;
}

function summary(stats: Stats): string {
  const {
    intents,
    sends,
    executed,
    unknown,
    resends,
    returns,
    paidAgain,
    refusals,
    looks,
    notices,
    forged,
    crashes,
    flagged,
    batches,
    batchRows,
    batchHolds,
    batchRetries,
    events,
    drawn,
    met,
  } = stats;
  const drills = DRILLS.filter(({ marks }) => marks.some((mark) => met[mark] > 0)).map(
    ({ name, marks }) => `${name}: ${marks.map((mark) => met[mark]).join('+')}`,
  );
  const faults = FAULT_NAMES.filter((name) => drawn[name] > 0).map(
    (name) => `${name} ${drawn[name]}`,
  );
  return [
    `${intents} forms, ${refusals} refused; ${sends} sends, ${executed} executed; ${unknown} ` +
      `passages through UNKNOWN, ${resends} resends; ${returns} returns confirmed, ` +
      `${paidAgain} paid again;`,
    `${looks} questions, ${notices} notices (${forged} forged), ${crashes} kills, ${flagged} ` +
      `flags at the end, ${events} events`,
    `${batches} files of payouts, ${batchRetries} of them retries: ${batchRows} rows became ` +
      `forms, ${batchHolds} pauses by themselves`,
    `faults drawn: ${faults.join(', ') || 'none'}`,
    `intents that met the trouble of a drill: ${drills.join(', ') || 'none'}`,
    ...(stats.card.worlds === 0 ? [] : [`card worlds: ${cardStatLines(stats.card).join('\n')}`]),
  ].join('\n');
}

function drillNamed(name: string): string {
  if (!DRILLS.some((one) => one.name === name))
    refuse(`no drill ${name}; there are ${DRILLS.map((one) => one.name).join(', ')}`);
  return name;
}

function sideNamed(name: string): Side {
  return (
    SIDES.find((one) => one === name) ?? refuse(`no side ${name}; there are ${SIDES.join(' and ')}`)
  );
}

function parts(): Omit<Choice, 'seed'> {
  const without = values.without?.split(',').filter((name) => name !== '') ?? [];
  const strange = without.filter((name) => !(ANY_FAULT_NAMES as string[]).includes(name));
  if (strange.length > 0)
    refuse(`no such fault: ${strange.join(', ')}; there are ${ANY_FAULT_NAMES.join(' ')}`);
  return {
    ...(values.needs === undefined ? {} : { needs: values.needs.split(',').map(Number) }),
    ...(without.length === 0 ? {} : { without: without as AnyFaultName[] }),
  };
}

function number(text: string | undefined, name: string): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1)
    refuse(`--${name} is a whole number from 1 on, not "${text}"`);
  return value;
}

function refuse(why: string): never {
  console.error(why);
  process.exit(2);
}
