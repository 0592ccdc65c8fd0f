/**
 * `npm test`: every check and every test, in order, each step reported; the last line is `N passed,
 * N failed`. For developers: `npm test -- --only unit,browser` and, after `--`, arguments for the
 * runner: `npm test -- --only unit -- -t wallet`.
 */
import { parseArgs } from 'node:util';
import { ensureBuild, ensureGenerated } from './build.ts';
import { runCrash } from './checks/crash.ts';
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
import { withThrowawayDatabase } from './throwaway.ts';

const REPORT_CHARACTERS = 40_000;
const NAME_WIDTH = 10;

const interrupted = new AbortController();
const { signal } = interrupted;
const { values, positionals: args } = parseArgs({
  options: { only: { type: 'string' } },
  allowPositionals: true,
});

/** A developer who asks for one step watches it; in a whole run only failures are worth reading. */
const suite = { signal, args, live: values.only !== undefined && !values.only.includes(',') };

/** Without `needs` having passed, a step would only fail for the same reason again and again. */
type Step = { name: string; about: string; needs?: string; run(): Promise<Outcome> };
const STEPS: Step[] = [
  { name: 'types', about: 'TypeScript', run: () => checkTypes(signal) },
  {
    name: 'lint',
    about: 'oxlint; files and exports that nobody uses',
    run: () => checkLint(signal),
  },
  { name: 'format', about: 'line breaks as oxfmt sets them', run: () => checkFormat(signal) },
  { name: 'layers', about: 'who may import whom', run: () => checkLayers(signal) },
  { name: 'tidy', about: 'house rules, both languages', run: () => checkTidy(ROOT) },
  { name: 'unit', about: 'unit and property tests', run: () => runUnit(suite) },
  {
    name: 'worlds',
    about: 'worlds of the simulator that no other commit has tried',
    run: () => runFreshWorlds(suite),
  },
  {
    name: 'database',
    about: 'tests on a PostgreSQL of their own',
    run: () =>
      withThrowawayDatabase((url) =>
        runVitest('database', { ...suite, env: { TEST_DATABASE_URL: url } }),
      ),
  },
  { name: 'build', about: 'production build', run: () => build() },
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
    run: () => runCrash(suite),
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
for (const step of chosen) {
  if (signal.aborted) break;
  const outcome = await take(step);
  if (outcome.failed > 0) broken.add(step.name);
  passed += outcome.passed;
  failed += outcome.failed;
}
if (signal.aborted) failed += 1;
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);

/** Runs one step to its end; an exception counts as one failure, and the next step still runs. */
async function take(step: Step): Promise<Outcome> {
  const begun = Date.now();
  console.log(`· ${step.name.padEnd(NAME_WIDTH)}${step.about}`);
  const outcome = await attempt(step);
  if (outcome.failed > 0) console.log(`\n${outcome.report.slice(-REPORT_CHARACTERS).trim()}\n`);
  for (const note of outcome.notes ?? []) console.log(`  ${note}`);
  const seconds = ((Date.now() - begun) / 1000).toFixed(1);
  console.log(
    `${outcome.failed === 0 ? '✓' : '✗'} ${step.name.padEnd(NAME_WIDTH)}${outcome.passed} passed,` +
      ` ${outcome.failed} failed, ${seconds} s`,
  );
  return outcome;
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
  return oneCheck([]);
}
