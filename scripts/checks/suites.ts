/** The runners that execute tests, counted by their own machine-readable reports. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
  testResults: { status: string; assertionResults: unknown[] }[];
};
type PlaywrightSuite = {
  specs: { title: string; file: string; tests: { status: string }[] }[];
  suites?: PlaywrightSuite[];
};
type PlaywrightReport = {
  stats: { expected: number; unexpected: number; flaky: number };
  suites: PlaywrightSuite[];
  errors: unknown[];
};

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
    // A file that cannot even be loaded has no test that could fail.
    const unloaded =
      report?.testResults.filter(
        (result) => result.status === 'failed' && result.assertionResults.length === 0,
      ).length ?? 0;
    return outcomeOf(
      ran,
      report?.numPassedTests ?? 0,
      (report?.numFailedTests ?? 0) + unloaded,
      live,
    );
  });
}

/** Runs the browser stories; `env` names the running product. */
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
    const notes = (report?.suites ?? [])
      .flatMap(secondTries)
      .map((name) => `passed at the second try only: ${name}`);
    return { ...outcomeOf(ran, expected + flaky, unexpected, live), notes };
  });
}

function outcomeOf(
  ran: { code: number; output: string },
  passed: number,
  failed: number,
  live: boolean,
): Outcome {
  // The runner itself may fail beside its tests (an unhandled error), or find none: that counts
  // too.
  const unexplained = failed === 0 && (ran.code !== 0 || passed === 0) ? 1 : 0;
  return {
    passed,
    failed: failed + unexplained,
    report: live ? '' : ran.output || 'The runner said nothing.',
  };
}

function secondTries({ specs, suites = [] }: PlaywrightSuite): string[] {
  const flaky = specs.filter((spec) => spec.tests.some((test) => test.status === 'flaky'));
  return [...flaky.map(({ file, title }) => `${file} › ${title}`), ...suites.flatMap(secondTries)];
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
