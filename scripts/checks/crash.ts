/** Runs the crash tests on a product of their own, with two of each process that may be killed. */
import type { Outcome } from './outcome.ts';
import { withProduct } from './product.ts';
import { runVitest, type SuiteOptions } from './suites.ts';

/**
 * Waits that are as short as the sandbox of these tests allows: it shows an accepted payment in its
 * records within a second or two.
 */
const IMPATIENT = { RESEND_QUIET_SECONDS: '6', MANUAL_REVIEW_SECONDS: '30', LOG_LEVEL: 'warn' };
const WEBS = 2;
const WORKERS = 2;

export async function runCrash(options: SuiteOptions): Promise<Outcome> {
  return withProduct(
    { webs: WEBS, workers: WORKERS, env: IMPATIENT, signal: options.signal },
    (env) => runVitest('crash', { ...options, env: { ...env, ...options.env } }),
  );
}
