/**
 * `npm run sim -- --seeds 20000`: that many worlds from seed 1 (or `--seed`) on. `--seed S` alone replays one world;
 * `--trace` tells what happens in it. `--mutations` plants bugs in copies of the product and wants each of them found.
 */
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { DRILLS } from './drills.ts';
import { drawKnobs, FAULT_NAMES } from './knobs.ts';
import type { Choice, FaultName } from './knobs.ts';
import { runMutations } from './mutate.ts';
import { runPool } from './pool.ts';
import { shrink } from './shrink.ts';
import type { Stats } from './stats.ts';
import { RULES } from './violation.ts';
import { World } from './world.ts';

const SEEDS = 5_000;
const MUTATION_SEEDS = 4_000;
const TRACE_LINES = 400;
const SHOWN_FAILURES = 10;

const { values } = parseArgs({
  options: {
    seeds: { type: 'string' }, seed: { type: 'string' }, trace: { type: 'boolean' }, threads: { type: 'string' }, mutations: { type: 'boolean' }, only: { type: 'string' },
    drill: { type: 'string' }, needs: { type: 'string' }, without: { type: 'string' },
  },
});

const threads = number(values.threads, 'threads') ?? Math.min(2, availableParallelism());
const seed = number(values.seed, 'seed');
const seeds = number(values.seeds, 'seeds');
const drill = values.drill === undefined ? {} : { drill: drillNamed(values.drill) };

if (values.mutations) process.exit((await runMutations({ threads, seeds: seeds ?? MUTATION_SEEDS, from: seed ?? 1, only: values.only })) ? 0 : 1);
else if (seed !== undefined && seeds === undefined) process.exit(replay({ seed, ...drill, ...parts() }, values.trace ?? false) ? 0 : 1);
else process.exit((await run(seed ?? 1, seeds ?? SEEDS)) ? 0 : 1);

async function run(from: number, count: number): Promise<boolean> {
  const began = performance.now();
  let shownAt = began;
  const { totals, broken } = await runPool({ from, count, ...drill }, threads, (done) => {
    if (performance.now() - shownAt < 10_000) return;
    shownAt = performance.now();
    console.log(`  ${done} of ${count} worlds`);
  });
  const seconds = (performance.now() - began) / 1000;
  console.log(`${totals.worlds} worlds (seeds ${from} to ${from + count - 1}) in ${seconds.toFixed(1)} s on ${threads} threads: ${Math.round(totals.worlds / seconds)} worlds/s`);
  console.log(told(totals));
  if (broken.length === 0) {
    console.log('No rule was broken.');
    return true;
  }
  console.log(`\n${broken.length} worlds broke a rule:`);
  for (const one of broken.slice(0, SHOWN_FAILURES)) console.log(`  seed ${one.seed}: ${one.rule} (${RULES[one.rule]}): ${one.what.split('\n')[0]}`);
  const [first] = broken;
  console.log(`\nSeed ${first!.seed}, made as small as it goes:`);
  replay(shrink({ seed: first!.seed, ...drill }), true);
  return false;
}

/** Runs one world again and tells what happens in it. True when no rule is broken. */
function replay(choice: Choice, traced: boolean): boolean {
  const knobs = drawKnobs(choice);
  const faults = FAULT_NAMES.filter((name) => knobs.faults[name] > 0);
  const { stats, broken, trace } = new World(choice, traced).run();
  if (traced) {
    const left = trace.length - TRACE_LINES;
    console.log(left > 0 ? [`… ${left} earlier lines`, ...trace.slice(left)].join('\n') : trace.join('\n'));
    console.log(`\nquestions ${JSON.stringify(knobs.questions)}`);
    console.log(`${knobs.workers} workers × ${knobs.lanes}, ${knobs.approvalsNeeded} approvals, heals after ${(knobs.healsAt / 3_600_000).toFixed(2)} h, faults: ${faults.join(' ') || 'none'}`);
  }
  console.log(told(stats));
  console.log(broken === null ? 'No rule was broken.' : `${broken.rule} (${RULES[broken.rule]}): ${broken.what}`);
  const kept = choice.needs === undefined ? '' : ` --needs ${choice.needs.join(',')}`;
  const without = choice.without === undefined ? '' : ` --without ${choice.without.filter((name) => drawKnobs({ seed: choice.seed }).faults[name] > 0).join(',')}`;
  if (broken !== null) console.log(`Again: npm run sim -- --seed ${choice.seed}${choice.drill === undefined ? '' : ` --drill ${choice.drill}`}${kept}${without.trimEnd().endsWith('--without') ? '' : without} --trace`);
  return broken === null;
}

function told(stats: Stats): string {
  const { intents, sends, executed, unknown, resends, refunds, paidAgain, refusals, looks, notices, forged, crashes, flagged, events, drawn, met } = stats;
  const drills = DRILLS.filter(({ marks }) => marks.some((mark) => met[mark] > 0)).map(({ name, marks }) => `${name}: ${marks.map((mark) => met[mark]).join('+')}`);
  const faults = FAULT_NAMES.filter((name) => drawn[name] > 0).map((name) => `${name} ${drawn[name]}`);
  return [
    `${intents} forms, ${refusals} refused; ${sends} sends, ${executed} executed; ${unknown} passages through UNKNOWN, ${resends} resends; ${refunds} refunds confirmed, ${paidAgain} paid again;`,
    `${looks} questions, ${notices} notices (${forged} forged), ${crashes} kills, ${flagged} flags at the end, ${events} events`,
    `faults drawn: ${faults.join(', ') || 'none'}`,
    `intents that met the trouble of a drill: ${drills.join(', ') || 'none'}`,
  ].join('\n');
}

function drillNamed(name: string): string {
  if (!DRILLS.some((one) => one.name === name)) refuse(`no drill ${name}; there are ${DRILLS.map((one) => one.name).join(', ')}`);
  return name;
}

function parts(): Omit<Choice, 'seed'> {
  const without = values.without?.split(',').filter((name) => name !== '') ?? [];
  const strange = without.filter((name) => !(FAULT_NAMES as string[]).includes(name));
  if (strange.length > 0) refuse(`no such fault: ${strange.join(', ')}; there are ${FAULT_NAMES.join(' ')}`);
  return {
    ...(values.needs === undefined ? {} : { needs: values.needs.split(',').map(Number) }),
    ...(without.length === 0 ? {} : { without: without as FaultName[] }),
  };
}

function number(text: string | undefined, name: string): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1) refuse(`--${name} is a whole number from 1 on, not "${text}"`);
  return value;
}

function refuse(why: string): never {
  console.error(why);
  process.exit(2);
}
