/** Runs the test runners and counts their tests by their machine-readable reports. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { runNode } from '../command.ts';
import type { Environment } from '../processes.ts';
import type { Outcome } from './outcome.ts';

export type SuiteOptions = {
  env?: Environment;
  signal: AbortSignal;
  /** Handed on to the runner: files, -t … */ args?: string[];
  /** Playwright's; the one of the stories, when not given. */ config?: string;
  /** Show its output as it comes instead of reporting it at the end. */ live?: boolean;
};

type VitestReport = {
  numPassedTests: number;
  numFailedTests: number;
  testResults: { name: string; status: string; assertionResults: VitestResult[] }[];
};
type VitestResult = { status: string; fullName: string; failureMessages: string[] };
type PlaywrightTest = { status: string; results: { error?: { message?: string } }[] };
type PlaywrightSuite = {
  specs: { title: string; file: string; tests: PlaywrightTest[] }[];
  suites?: PlaywrightSuite[];
};
type PlaywrightReport = {
  stats: { expected: number; unexpected: number; flaky: number };
  suites: PlaywrightSuite[];
  errors: unknown[];
};

/** Lines of a failed test's message that its note shows. */
const NOTED_LINES = 12;

/** Runs one project of vitest.config.ts. */
export async function runVitest(
  project: string,
  { env = {}, signal, args = [], live = false }: SuiteOptions,
): Promise<Outcome> {
  return withReport(async (file) => {
    const ran = await runNode(
      [
        'node_modules/vitest/vitest.mjs',
        'run',
        '--project',
        project,
        '--allowOnly=false',
        '--reporter=default',
        '--reporter=json',
        `--outputFile.json=${file}`,
        ...args,
      ],
      { env: { ...process.env, NO_COLOR: '1', ...env }, signal, show: live },
    );
    const report = readReport<VitestReport>(file);
    // A file that cannot be loaded has no test that could fail, so it is counted by itself.
    const unloaded =
      report?.testResults.filter(
        (result) => result.status === 'failed' && result.assertionResults.length === 0,
      ).length ?? 0;
    const outcome = outcomeOf(
      ran,
      report?.numPassedTests ?? 0,
      (report?.numFailedTests ?? 0) + unloaded,
      live,
    );
    return { ...outcome, notes: (report?.testResults ?? []).flatMap(failuresOf) };
  });
}

/** Runs the browser stories; `env` names the addresses of the running product. */
export async function runPlaywright({
  env = {},
  signal,
  args = [],
  config = 'e2e/playwright.config.ts',
  live = false,
}: SuiteOptions): Promise<Outcome> {
  return withReport(async (file) => {
    const ran = await runNode(
      ['node_modules/@playwright/test/cli.js', 'test', '--config', config, ...args],
      {
        env: {
          ...process.env,
          NO_COLOR: '1',
          FORCE_COLOR: undefined,
          ...env,
          PLAYWRIGHT_JSON_OUTPUT_FILE: file,
        },
        signal,
        show: live,
      },
    );
    const report = readReport<PlaywrightReport>(file);
    const { expected = 0, unexpected = 0, flaky = 0 } = report?.stats ?? {};
    const notes = (report?.suites ?? []).flatMap(notesOf);
    return { ...outcomeOf(ran, expected, unexpected + flaky, live), notes };
  });
}

function outcomeOf(
  ran: { code: number; output: string },
  passed: number,
  failed: number,
  live: boolean,
): Outcome {
  // The runner itself may fail beside its tests (an unhandled error), or find no test: both count
  // as one failure.
  const unexplained = failed === 0 && (ran.code !== 0 || passed === 0) ? 1 : 0;
  return {
    passed,
    failed: failed + unexplained,
    report: live ? '' : ran.output || 'The runner said nothing.',
  };
}

/** One note for each failed test of a file: a long report may be cut, the notes come after it. */
function failuresOf({ name, assertionResults }: VitestReport['testResults'][number]): string[] {
  return assertionResults
    .filter((test) => test.status === 'failed')
    .map((test) => note('failed', `${basename(name)} › ${test.fullName}`, test.failureMessages[0]));
}

/** One note for each story that failed, also when a retry (`--retries`) passed. */
function notesOf({ specs, suites = [] }: PlaywrightSuite): string[] {
  const notes = specs.flatMap(({ file, title, tests }) =>
    tests
      .filter(({ status }) => status === 'unexpected' || status === 'flaky')
      .map(({ results }) => note('failed', `${file} › ${title}`, results[0]?.error?.message)),
  );
  return [...notes, ...suites.flatMap(notesOf)];
}

function note(what: string, test: string, message = 'no message'): string {
  const lines = stripVTControlCharacters(message).split('\n').slice(0, NOTED_LINES);
  return [`${what}: ${test}`, ...lines.map((line) => `    ${line}`)].join('\n');
}

async function withReport(work: (file: string) => Promise<Outcome>): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), 'report-'));
  try {
    return await work(join(folder, 'report.json'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function readReport<T>(file: string): T | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as T;
  } catch {
    return undefined;
  }
}
