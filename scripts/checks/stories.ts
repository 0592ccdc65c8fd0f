/** The browser stories on a product of their own: production build, own database, own ports; nothing that runs is touched. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findChromium } from '../browser.ts';
import { startControl } from '../control.ts';
import { freePort } from '../ports.ts';
import { ROOT } from '../processes.ts';
import { startStack } from '../stack.ts';
import { inThrowawayFolder } from '../throwaway.ts';
import type { Outcome } from './outcome.ts';
import { runPlaywright, type SuiteOptions } from './suites.ts';

/** Short enough to watch; against real providers these are refused. */
const IMPATIENT = { RESEND_QUIET_SECONDS: '8', MANUAL_REVIEW_SECONDS: '15', LOG_LEVEL: 'warn' };
const WEBS = 2;
const LOG_CHARACTERS = 2_000;

export async function runStories(options: SuiteOptions): Promise<Outcome> {
  const { signal } = options;
  if (!readdirSync(join(ROOT, 'e2e')).some((name) => name.endsWith('.spec.ts'))) return { passed: 0, failed: 1, report: 'There is no story in e2e/.' };
  const chromium = await findChromium(signal, (line) => console.log(`  ${line}`));
  return inThrowawayFolder(async (dataDir) => {
    const ports = { port: await freePort(), sandboxPort: await freePort() };
    const stack = await startStack({ host: '127.0.0.1', ...ports, sandbox: true, dataDir, databaseUrl: undefined, webs: WEBS, env: IMPATIENT, signal });
    try {
      if (stack.notReady !== undefined) throw new Error(`The product did not become ready: ${stack.notReady}`);
      const control = await startControl(stack);
      const env = {
        BASE_URL: stack.origins[0],
        BASE_URL_2: stack.origins[1],
        SANDBOX_URL: stack.sandboxUrl,
        TEST_DATABASE_URL: stack.databaseUrl,
        DATA_DIR: dataDir,
        CONTROL_URL: control.url,
        CHROMIUM_PATH: chromium,
      };
      const outcome = await runPlaywright({ ...options, env: { ...env, ...IMPATIENT } });
      control.close();
      return outcome.failed === 0 ? outcome : { ...outcome, report: outcome.report + logsOf(dataDir) };
    } finally {
      await stack.stop();
    }
  });
}

/** The ends of the processes' logs: what the browser saw has its reason there. */
function logsOf(dataDir: string): string {
  const folder = join(dataDir, 'logs');
  const files = readdirSync(folder).filter((name) => name.endsWith('.log'));
  return files.map((name) => `\n--- ${name}\n${readFileSync(join(folder, name), 'utf8').slice(-LOG_CHARACTERS)}`).join('\n');
}
