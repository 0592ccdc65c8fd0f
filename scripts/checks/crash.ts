/** The crash tests on a product of their own, with two of everything that may die. */
import type { Outcome } from './outcome.ts';
import { withProduct } from './product.ts';
import { runVitest, type SuiteOptions } from './suites.ts';

/**
 * As impatient as the provider of these tests allows: what it has taken is on its record within a
 * second or two.
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
