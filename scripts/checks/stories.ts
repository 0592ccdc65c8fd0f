/**
 * Runs the browser stories with two test workers, each on a product of its own, because one product
 * alone leaves half of two cores idle. A worker that is free takes the next file.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { freePort, freePortPair } from '../ports.ts';
import { findChromium, findHeadlessShell } from '../browser.ts';
import { ROOT, type Environment } from '../processes.ts';
import type { Outcome } from './outcome.ts';
import { withProduct } from './product.ts';
import { runPlaywright, type SuiteOptions } from './suites.ts';

/**
 * Waits that are short enough for a test. With real providers such a short resend time is refused.
 */
const IMPATIENT = { RESEND_QUIET_SECONDS: '8', MANUAL_REVIEW_SECONDS: '15', LOG_LEVEL: 'info' };
const WEBS = 2;

/**
 * Traces are exported all the time, and only one story starts a receiver: for the others it is away,
 * which nobody may notice.
 */
async function environment(): Promise<Record<string, string>> {
  return {
    ...IMPATIENT,
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${await freePort()}`,
    // The worker has the next one.
    METRICS_PORT: String(await freePortPair()),
  };
}

export async function runStories(options: SuiteOptions): Promise<Outcome> {
  const { signal } = options;
  if (!readdirSync(join(ROOT, 'e2e')).some((name) => name.endsWith('.spec.ts')))
    return { passed: 0, failed: 1, report: 'There is no story in e2e/.' };
  const chromium = await findChromium(signal, (line) => console.log(`  ${line}`));
  const run = (products: Environment[]): Promise<Outcome> =>
    runPlaywright({
      ...options,
      env: {
        PRODUCTS: JSON.stringify(products),
        CHROMIUM_PATH: chromium,
        HEADLESS_SHELL_PATH: findHeadlessShell(),
      },
    });
  const beside = async (products: Environment[]): Promise<Outcome> =>
    withProduct({ webs: WEBS, env: await environment(), signal }, (env) => run([...products, env]));
  // When a developer names files or titles, one product is enough.
  if (options.args !== undefined && options.args.length > 0) return beside([]);
  return withProduct({ webs: WEBS, env: await environment(), signal }, (env) => beside([env]));
}
