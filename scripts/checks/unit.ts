/**
 * Runs the unit tests, and checks that each test that the sandbox's coverage is linked to met its
 * rows.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runNode } from '../command.ts';
import { oneCheck, type Outcome } from './outcome.ts';
import { runVitest, type SuiteOptions } from './suites.ts';

export async function runUnit(options: SuiteOptions): Promise<Outcome> {
  const { args = [], env = {}, signal } = options;
  const folder = mkdtempSync(join(tmpdir(), 'touches-'));
  try {
    const ran = await runVitest('unit', { ...options, env: { ...env, SANDBOX_TOUCHES: folder } });
    // A test that failed, or was left out by an option, met fewer rows than it claims. The failure
    // itself explains more.
    if (ran.failed > 0 || args.some((arg) => arg.startsWith('-'))) return ran;
    const checked = await runNode(
      ['sandbox/testing/check-touches.ts', folder, ...(args.length === 0 ? ['all'] : [])],
      { signal },
    );
    const met = oneCheck(
      checked.code === 0
        ? ''
        : `Coverage links without a meeting:\n${checked.output || 'the check itself failed'}`,
    );
    return { ...ran, passed: ran.passed + met.passed, failed: met.failed, report: met.report };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
