import { resolve } from 'node:path';
import { nextBankStep, runBank } from './bank/desk.ts';
import { nextCardStep, runCards } from './card-api/due.ts';
import { seedCardGateway, seedReceivers, seedWorld } from './seed/seed.ts';
import { addLateWork, buildServer } from './server.ts';
import { openWorld } from './world.ts';
import type { World } from './world.ts';

/**
 * `node sandbox/main.ts` serves both providers on one port. Environment: HOST, SANDBOX_PORT,
 * DATA_DIR, SANDBOX_NOTIFY_URL.
 */

export const DEFAULT_SEED = 2025;
const STOP_WITHIN_MS = 1500;

function refuse(line: string): never {
  process.stderr.write(`${line}\n`);
  process.exit(1);
}

// Files that the sandbox writes are readable by its own user only.
process.umask(0o077);
const host = process.env.HOST || '127.0.0.1';
const portText = process.env.SANDBOX_PORT || '4010';
const port = Number(portText);
if (!Number.isInteger(port) || port < 0 || port > 65_535)
  refuse(`sandbox: SANDBOX_PORT must be a port number, not "${portText}"`);
const notifyUrl = process.env.SANDBOX_NOTIFY_URL || null;
if (notifyUrl !== null && !/^https?:\/\//.test(notifyUrl))
  refuse('sandbox: SANDBOX_NOTIFY_URL must begin with http:// or https://');

let world: World | null = null;
const server = buildServer(() => {
  if (!world) throw new Error('not open yet');
  return world;
});

server.once('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EADDRINUSE')
    refuse(
      `sandbox: ${host}:${port} is busy; stop the other program or set SANDBOX_PORT to a free port`,
    );
  refuse(
    `sandbox: cannot listen on ${host}:${port} (${error.code ?? error.message}); check HOST and SANDBOX_PORT`,
  );
});

server.listen(port, host, () => {
  const dataDir = resolve(process.env.DATA_DIR || './.data');
  try {
    world = openWorld(dataDir, notifyUrl);
  } catch (error) {
    refuse(
      `sandbox: cannot open its state in ${dataDir}/sandbox (${(error as Error).message}); ` +
        'is another sandbox using this DATA_DIR?',
    );
  }
  const open = world;
  if (open.store.read('seed') === null) seedWorld(open, DEFAULT_SEED);
  else {
    seedCardGateway(open, Number(open.store.read('seed')));
    seedReceivers(open);
  }
  open.scheduler.add({ next: () => nextBankStep(open), run: (now) => runBank(open, now) });
  open.scheduler.add({ next: () => nextCardStep(open), run: (now) => runCards(open, now) });
  addLateWork(open);
  open.scheduler.drain();
  const address = server.address();
  const actual = typeof address === 'object' && address ? address.port : port;
  process.stdout.write(`sandbox ready at http://${host}:${actual}\n`);
  process.send?.({ ready: true });
});

let stopping = false;
function stop(): void {
  if (stopping) return;
  stopping = true;
  world?.scheduler.stop();
  world?.notices.stop();
  const finish = (): void => {
    world?.store.close();
    process.exit(0);
  };
  server.close(finish);
  server.closeIdleConnections();
  setTimeout(() => {
    server.closeAllConnections();
    setTimeout(finish, 100);
  }, STOP_WITHIN_MS).unref();
}
process.on('SIGTERM', stop);
process.on('SIGINT', stop);
