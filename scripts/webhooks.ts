/**
 * `npm run webhooks`: serves the webhook and health addresses alone, on PORT, until Ctrl-C. On the
 * database that DATABASE_URL names, or on that of the dashboard that runs on DATA_DIR.
 */
import { join } from 'node:path';
import { baseEnvironment, providerEnvironment } from './environment.ts';
import { lockHolder } from './lock.ts';
import { freePort, isPortFree } from './ports.ts';
import { nodeProgram, supervise, type Environment, type Supervised } from './processes.ts';
import { printError, readArgs, Refused } from './refused.ts';
import { localOrigin, readSettings, type Settings } from './settings.ts';

const READY_MS = 60_000;
const STOP_MS = 5_000;

let running: Supervised | undefined;
let stopping = false;

async function stop(): Promise<void> {
  if (stopping) return;
  stopping = true;
  await running?.stop();
  process.exit(0);
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => void stop());
process.on('disconnect', () => void stop());

try {
  readArgs({ options: {} });
  const settings = readSettings(process.env);
  await refuseBusyPort(settings);
  const args = ['--conditions=react-server', 'lib/web/webhooks.ts'];
  const log = join(settings.dataDir, 'logs', 'webhooks.log');
  const env = await environmentFor(settings);
  running = supervise({ ...nodeProgram('webhooks', args, env, log), stopMs: STOP_MS }, console.log);
  const origin = localOrigin(settings.host, settings.port);
  if (!(await running.announced(READY_MS)))
    throw new Refused(`Not ready after ${READY_MS / 1_000} s.`);
  console.log(`Webhooks    ${origin}/api/webhooks/<key>/wallet and …/card`);
  process.send?.({ ready: true });
} catch (error) {
  if (!stopping) printError(error);
  await running?.stop();
  process.exit(stopping ? 0 : 1);
}

async function environmentFor(settings: Settings): Promise<Environment> {
  const { databaseUrl, sandbox } = lockHolder(settings.dataDir);
  const url = settings.databaseUrl ?? databaseUrl;
  if (typeof url !== 'string')
    throw new Refused(
      'No database: set DATABASE_URL, or start the dashboard on this DATA_DIR first (npm start).',
    );
  const provider =
    settings.sandbox && typeof sandbox === 'string' ? await providerEnvironment(sandbox) : {};
  return {
    ...provider,
    ...baseEnvironment(settings, {}),
    DATABASE_URL: url,
    NODE_ENV: 'production',
    PORT: String(settings.port),
  };
}

async function refuseBusyPort({ port, host }: Settings): Promise<void> {
  if (await isPortFree(port, host)) return;
  throw new Refused(
    `Port ${port} of ${host} is busy: set PORT to another one, for example ` +
      `PORT=${await freePort()} npm run webhooks`,
  );
}
