/**
 * The browser stories, half of the files each on a product of its own: one alone leaves half of two
 * cores idle.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { findChromium } from '../browser.ts';
import { ROOT } from '../processes.ts';
import { together, type Outcome } from './outcome.ts';
import { withProduct } from './product.ts';
import { runPlaywright, type SuiteOptions } from './suites.ts';

/** Short enough to watch; against real providers these are refused. */
const IMPATIENT = { RESEND_QUIET_SECONDS: '8', MANUAL_REVIEW_SECONDS: '15', LOG_LEVEL: 'info' };
const WEBS = 2;
const SHARDS = 2;

export async function runStories(options: SuiteOptions): Promise<Outcome> {
  const { signal } = options;
  if (!readdirSync(join(ROOT, 'e2e')).some((name) => name.endsWith('.spec.ts')))
    return { passed: 0, failed: 1, report: 'There is no story in e2e/.' };
  const chromium = await findChromium(signal, (line) => console.log(`  ${line}`));
  const run = (args: string[]): Promise<Outcome> =>
    withProduct({ webs: WEBS, env: IMPATIENT, signal }, (env) =>
      runPlaywright({ ...options, args, env: { ...env, CHROMIUM_PATH: chromium } }),
    );
  // Who names files or titles watches one product.
  if (options.args !== undefined && options.args.length > 0) return run(options.args);
  return together(
    await Promise.all(
      Array.from({ length: SHARDS }, (_, nth) =>
        run([`--shard=${nth + 1}/${SHARDS}`, `--output=test-results/${nth + 1}`]),
      ),
    ),
  );
}
