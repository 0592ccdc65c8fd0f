/**
 * Starts a product for a suite: production build, a database and ports of its own. It touches no
 * product that is running.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startControl } from '../control.ts';
import { freePort } from '../ports.ts';
import type { Environment } from '../processes.ts';
import { startStack } from '../stack.ts';
import { inThrowawayFolder } from '../throwaway.ts';
import { canariesOf, findSecrets } from './logs.ts';
import { oneCheck, type Outcome } from './outcome.ts';

const LOG_CHARACTERS = 3_000;
const DEMO_PASSWORD = 'demo-Parola-1';

/**
 * `env`: variables of the web and the worker. The suite receives them too, because it must know how
 * long these processes wait.
 */
export type ProductOptions = {
  webs: number;
  workers?: number;
  /** Begins with the history of the demo's merchant, as `npm start` does. */
  history?: boolean;
  env: Record<string, string>;
  signal: AbortSignal;
};

/**
 * Starts the product, gives the suite the environment with all its addresses (see e2e/README.md),
 * and stops the product however the suite ends.
 */
export async function withProduct(
  options: ProductOptions,
  suite: (env: Environment) => Promise<Outcome>,
): Promise<Outcome> {
  return inThrowawayFolder(async (dataDir) => {
    const ports = { port: await freePort(), sandboxPort: await freePort() };
    const stack = await startStack({
      host: '127.0.0.1',
      ...ports,
      sandbox: true,
      dataDir,
      databaseUrl: undefined,
      ...options,
    });
    try {
      if (stack.notReady !== undefined)
        throw new Error(`The product did not become ready: ${stack.notReady}`);
      const control = await startControl(stack);
      const outcome = await suite({
        BASE_URL: stack.origins[0],
        BASE_URL_2: stack.origins[1],
        SANDBOX_URL: stack.sandboxUrl,
        TEST_DATABASE_URL: stack.databaseUrl,
        DATA_DIR: dataDir,
        CONTROL_URL: control.url,
        ...options.env,
      });
      control.close();
      // The suite has used every process by now, so their logs must hold no secret of the whole
      // run.
      const secrets = oneCheck(
        findSecrets(
          join(dataDir, 'logs'),
          await canariesOf(stack.sandboxUrl!, dataDir, DEMO_PASSWORD),
        ),
      );
      const both = {
        ...outcome,
        passed: outcome.passed + secrets.passed,
        failed: outcome.failed + secrets.failed,
        report: [outcome.report, secrets.report].join('\n'),
      };
      return both.failed === 0 ? both : { ...both, report: both.report + logsOf(dataDir) };
    } finally {
      await stack.stop();
    }
  });
}

/** Returns the last characters of each process's log, which show why a suite failed. */
function logsOf(dataDir: string): string {
  const folder = join(dataDir, 'logs');
  const files = readdirSync(folder).filter((name) => name.endsWith('.log'));
  return files
    .map(
      (name) => `\n--- ${name}\n${readFileSync(join(folder, name), 'utf8').slice(-LOG_CHARACTERS)}`,
    )
    .join('\n');
}
