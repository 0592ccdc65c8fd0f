/** The browser stories on a product of their own. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { findChromium } from '../browser.ts';
import { ROOT } from '../processes.ts';
import type { Outcome } from './outcome.ts';
import { withProduct } from './product.ts';
import { runPlaywright, type SuiteOptions } from './suites.ts';

/** Short enough to watch; against real providers these are refused. */
const IMPATIENT = { RESEND_QUIET_SECONDS: '8', MANUAL_REVIEW_SECONDS: '15', LOG_LEVEL: 'info' };
const WEBS = 2;

export async function runStories(options: SuiteOptions): Promise<Outcome> {
  const { signal } = options;
  if (!readdirSync(join(ROOT, 'e2e')).some((name) => name.endsWith('.spec.ts')))
    return { passed: 0, failed: 1, report: 'There is no story in e2e/.' };
  const chromium = await findChromium(signal, (line) => console.log(`  ${line}`));
  return withProduct({ webs: WEBS, env: IMPATIENT, signal }, (env) =>
    runPlaywright({ ...options, env: { ...env, CHROMIUM_PATH: chromium } }),
  );
}
