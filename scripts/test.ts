/**
 * `npm test`: runs every check and every test in order and reports each step; the last line is `N
 * passed, N failed`. For developers: `npm test -- --only unit,browser` and, after `--`, arguments
 * for the runner: `npm test -- --only unit -- -t wallet`.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureBuild, ensureGenerated } from './build.ts';
import { runCrash } from './checks/crash.ts';
import { runDatabase } from './checks/database.ts';
import { findWideSelectorsOf } from './checks/selectors.ts';
import { runStories } from './checks/stories.ts';
import { checkFormat, checkLayers, checkLint, checkTypes } from './checks/static.ts';
import { oneCheck, type Outcome } from './checks/outcome.ts';
import { runVitest } from './checks/suites.ts';
import { runFreshWorlds } from './checks/worlds.ts';
import { checkTidy } from './checks/tidy.ts';
import { runUnit } from './checks/unit.ts';
import { forgetOurVariables } from './environment.ts';
import { ROOT } from './processes.ts';
import { printError, Refused } from './refused.ts';

const REPORT_CHARACTERS = 40_000;
const NAME_WIDTH = 10;

const interrupted = new AbortController();
const { signal } = interrupted;
const { values, positionals: args } = parseArgs({
  options: { only: { type: 'string' } },
  allowPositionals: true,
});

/**
 * With one step in `--only`, its output is shown live; in a whole run only the output of failures
 * is shown.
 */
const suite = { signal, args, live: values.only !== undefined && !values.only.includes(',') };

/**
 * `needs`: a step that must have passed before. If it failed, this step would fail for the same
 * reason. `beside`: it runs at the same time as the step before it, because neither needs two cores.
 * `after`: it runs when the step of that name has ended, beside whatever runs beside that one.
 */
type Step = {
  name: string;
  about: string;
  needs?: string;
  beside?: boolean;
  after?: string;
  run(): Promise<Outcome>;
};
const STEPS: Step[] = [
  { name: 'types', about: 'TypeScript', run: () => checkTypes(signal) },
  {
    name: 'lint',
    about: 'oxlint; files and exports that nobody uses',
    beside: true,
    run: () => checkLint(signal),
  },
  { name: 'format', about: 'line breaks as oxfmt sets them', run: () => checkFormat(signal) },
  { name: 'layers', about: 'who may import whom', run: () => checkLayers(signal) },
  { name: 'tidy', about: 'house rules, both languages', run: () => checkTidy(ROOT) },
  {
    name: 'database',
    about: 'tests on a PostgreSQL of their own',
    run: () => runDatabase(suite),
  },
  {
    name: 'build',
    about: 'production build; selectors that look at the whole page',
    run: () => build(),
  },
  {
    name: 'commands',
    about: 'start, stop, kill, reset',
    needs: 'build',
    run: () => runVitest('commands', suite),
  },
  {
    name: 'crash',
    about: "kill -9 and suspensions while money moves; the providers' books are the judge",
    needs: 'build',
    beside: true,
    run: () => runCrash(suite),
  },
  // The crash tests wait most of their time, for leases and limits, so what needs the processors
  // runs meanwhile.
  {
    name: 'unit',
    about: 'unit and property tests',
    after: 'commands',
    run: () => runUnit(suite),
  },
  {
    name: 'worlds',
    about: 'worlds of the simulator that no other commit has tried',
    after: 'unit',
    run: () => runFreshWorlds(suite),
  },
  {
    name: 'browser',
    about: 'stories in Chromium against the production build',
    needs: 'build',
    run: () => runStories(suite),
  },
];

for (const one of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(one, () => interrupted.abort(new Error('interrupted')));
process.on('disconnect', () => interrupted.abort(new Error('interrupted')));

const chosen =
  values.only === undefined
    ? STEPS
    : STEPS.filter((step) => values.only!.split(',').includes(step.name));
if (chosen.length === 0) {
  console.error(`There is no step "${values.only}": ${STEPS.map((step) => step.name).join(', ')}.`);
  process.exit(1);
}
forgetOurVariables();
const broken = new Set<string>();
let passed = 0;
let failed = 0;
try {
  await ensureGenerated(signal);
} catch (error) {
  printError(error);
  failed += 1;
}
for (const group of groupsOf(chosen)) {
  await Promise.all(group.map(takeInOrder));
}
if (signal.aborted) failed += 1;
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);

/** Groups that run one after the other, each of lanes side by side, each of steps in their order. */
function groupsOf(steps: readonly Step[]): Step[][][] {
  const groups: Step[][][] = [];
  for (const step of steps) {
    const group = groups.at(-1);
    const lane = group?.find((one) => one.some(({ name }) => name === step.after));
    if (lane !== undefined) lane.push(step);
    else if (step.beside === true && group?.flat().every(({ name }) => name !== step.needs))
      group.push([step]);
    else groups.push([[step]]);
  }
  return groups;
}

async function takeInOrder(steps: readonly Step[]): Promise<void> {
  for (const step of steps) if (!signal.aborted) await take(step);
}

/** Runs one step to its end; an exception counts as one failure, and the next step still runs. */
async function take(step: Step): Promise<void> {
  const begun = Date.now();
  console.log(`· ${step.name.padEnd(NAME_WIDTH)}${step.about}`);
  const outcome = await attempt(step);
  if (outcome.failed > 0) broken.add(step.name);
  passed += outcome.passed;
  failed += outcome.failed;
  if (outcome.failed > 0) console.log(`\n${outcome.report.slice(-REPORT_CHARACTERS).trim()}\n`);
  for (const note of outcome.notes ?? []) console.log(`  ${note}`);
  const seconds = ((Date.now() - begun) / 1000).toFixed(1);
  console.log(
    `${outcome.failed === 0 ? '✓' : '✗'} ${step.name.padEnd(NAME_WIDTH)}${outcome.passed} passed,` +
      ` ${outcome.failed} failed, ${seconds} s`,
  );
}

async function attempt(step: Step): Promise<Outcome> {
  try {
    if (step.needs !== undefined && broken.has(step.needs))
      throw new Refused(`Not run, because ${step.needs} failed.`);
    return await step.run();
  } catch (error) {
    if (error instanceof Refused) return { passed: 0, failed: 1, report: error.message };
    return {
      passed: 0,
      failed: 1,
      report: error instanceof Error ? (error.stack ?? error.message) : String(error),
    };
  }
}

async function build(): Promise<Outcome> {
  const made = await ensureBuild(signal);
  made.release();
  return oneCheck(findWideSelectorsOf(join(ROOT, made.dir)));
}
