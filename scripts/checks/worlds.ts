import { runNode } from '../command.ts';
import type { Outcome } from './outcome.ts';
import type { SuiteOptions } from './suites.ts';

const RESULT = /^(?<worlds>\d+) worlds of \S+ \(seeds \d+ to \d+\)/m;
const RED = /^(?<red>\d+) worlds broke a rule/m;

/**
 * Runs the simulator's worlds of this commit: each world counts as a test, and the report names
 * their seeds.
 */
export async function runFreshWorlds({ signal, live = false }: SuiteOptions): Promise<Outcome> {
  const { code, output } = await runNode(['sim/main.ts', '--commit'], { signal, show: live });
  const result = RESULT.exec(output);
  const worlds = Number(result?.groups?.['worlds'] ?? 0);
  const red = Number(RED.exec(output)?.groups?.['red'] ?? 0);
  const failed = code === 0 ? 0 : Math.max(1, red);
  return {
    passed: Math.max(0, worlds - red),
    failed: worlds === 0 ? Math.max(1, failed) : failed,
    report: live ? '' : output,
    notes: result === null ? [] : [result[0]],
  };
}
