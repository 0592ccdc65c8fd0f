/**
 * Measures how long `npm start` takes until all is ready, when it is installed and built, against a
 * bare `next start` and PostgreSQL.
 */
import { join } from 'node:path';
import { answers, waitForHealth } from '../scripts/health.ts';
import { freePort } from '../scripts/ports.ts';
import { startPostgres } from '../scripts/postgres.ts';
import { nodeProgram, ROOT, supervise } from '../scripts/processes.ts';
import { inThrowawayFolder } from '../scripts/throwaway.ts';
import { against, median, type Figure } from './figures.ts';
import { buildFloor } from './floor.ts';
import type { Stand } from './stand.ts';

const RUNS = 5;
/** The first start writes the history of the demo, which is not measured. */
const READY_MS = 300_000;
const STOP_MS = 30_000;

export async function measureStart(stand: Stand): Promise<Figure[]> {
  const floorDir = await buildFloor(stand.signal);
  return inThrowawayFolder(async (ours) =>
    inThrowawayFolder(async (theirs) => {
      const took = { ours: [] as number[], theirs: [] as number[] };
      for (let run = 0; run <= RUNS; run++) {
        stand.signal.throwIfAborted();
        const [product, bare] = [await startProduct(ours), await startBare(theirs, floorDir)];
        // The first start creates the database, which is part of installing, so it is not measured.
        if (run === 0) continue;
        took.ours.push(product);
        took.theirs.push(bare);
      }
      return [
        against(
          '`npm start`, installed and built → ready',
          median(took.ours),
          median(took.theirs),
          'ms',
          { atMost: 2.5 },
          'beside `next start` of the floor and PostgreSQL, begun together',
        ),
      ];
    }),
  );
}

async function startProduct(dataDir: string): Promise<number> {
  const [port, sandboxPort] = [await freePort(), await freePort()];
  const env = {
    ...process.env,
    PORT: String(port),
    SANDBOX_PORT: String(sandboxPort),
    DATA_DIR: dataDir,
  };
  const begun = performance.now();
  const product = supervise(
    {
      name: 'product',
      command: process.execPath,
      args: [join(ROOT, 'scripts', 'start.mjs')],
      env,
      logFile: join(dataDir, 'logs', 'start.log'),
      stopMs: STOP_MS,
    },
    () => undefined,
  );
  try {
    const isReady = await product.announced(READY_MS);
    const took = performance.now() - begun;
    const problem = await waitForHealth(`http://127.0.0.1:${port}`, 0);
    if (!isReady || problem !== undefined)
      throw new Error(`npm start did not become ready: ${problem ?? 'it announced nothing'}`);
    return took;
  } finally {
    await product.stop();
  }
}

async function startBare(dataDir: string, floorDir: string): Promise<number> {
  const port = await freePort();
  const begun = performance.now();
  const env = { ...process.env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' };
  const next = supervise(
    nodeProgram(
      'bare',
      ['node_modules/next/dist/bin/next', 'start', floorDir, '-p', String(port), '-H', '127.0.0.1'],
      env,
      join(dataDir, 'logs', 'bare.log'),
    ),
    () => undefined,
  );
  const [postgres] = await Promise.all([
    startPostgres({ dataDir }),
    next.ready(() => answers(`http://127.0.0.1:${port}/login`), READY_MS),
  ]);
  const took = performance.now() - begun;
  await Promise.all([next.stop(), postgres.stop()]);
  return took;
}
