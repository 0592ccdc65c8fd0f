/**
 * Builds and starts the floor (`floor/README.md`) with the product's own packages, on a second
 * database of the product's server.
 */
import { cpSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { runNode } from '../scripts/command.ts';
import { answers } from '../scripts/health.ts';
import { freePort } from '../scripts/ports.ts';
import { nodeProgram, ROOT, supervise, type Supervised } from '../scripts/processes.ts';
import { Refused } from '../scripts/refused.ts';
import { inTurn, stampOf } from '../scripts/stamp.ts';
import type { Stand } from './stand.ts';

const NEXT = 'node_modules/next/dist/bin/next';
const SOURCE = 'bench/floor';
const BUILDS = '.builds';
const READY_MS = 30_000;
const ENVIRONMENT = { NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' } as const;

/**
 * Builds the floor when its sources changed. Returns its folder relative to the project; it is
 * beside the product's builds, from where Node finds the packages.
 */
export async function buildFloor(signal: AbortSignal): Promise<string> {
  const packages = ['next', 'react'].map((name) => `node_modules/${name}/package.json`);
  const dir = `${BUILDS}/floor-${stampOf([SOURCE, ...packages])}`;
  return inTurn(join(ROOT, BUILDS), 'floor', signal, async () => {
    if (existsSync(join(ROOT, dir, 'finished'))) return dir;
    rmSync(join(ROOT, dir), { recursive: true, force: true });
    cpSync(join(ROOT, SOURCE), join(ROOT, dir), { recursive: true });
    const built = await runNode([NEXT, 'build', dir], {
      env: { ...process.env, ...ENVIRONMENT, NO_COLOR: '1' },
      signal,
    });
    if (built.code !== 0) throw new Refused(`The floor could not be built:\n${built.output}`);
    writeFileSync(join(ROOT, dir, 'finished'), '');
    return dir;
  });
}

export type Floor = {
  /** The Next.js app. */ origin: string;
  /** The plain Node server with one INSERT. */ plain: string;
  inserted(): Promise<number>;
  stop(): Promise<void>;
};

export async function startFloor(stand: Stand): Promise<Floor> {
  await stand.owner.query('CREATE DATABASE floor');
  const databaseUrl = stand.stack.databaseUrl.replace(/\/[^/]*$/, '/floor');
  const database = new pg.Pool({ connectionString: databaseUrl, max: 1 });
  database.on('error', () => undefined);
  await database.query('CREATE TABLE bodies (id BIGSERIAL PRIMARY KEY, body TEXT NOT NULL)');
  const dir = await buildFloor(stand.signal);
  const started: Supervised[] = [];
  const start = async (
    name: string,
    args: (port: string) => string[],
    path: string,
  ): Promise<string> => {
    const port = String(await freePort());
    const env = { ...process.env, ...ENVIRONMENT, DATABASE_URL: databaseUrl, PORT: port };
    const running = supervise(
      nodeProgram(name, args(port), env, join(stand.dataDir, 'logs', `${name}.log`)),
      () => undefined,
    );
    started.push(running);
    const origin = `http://127.0.0.1:${port}`;
    await running.ready(() => answers(`${origin}${path}`), READY_MS);
    return origin;
  };
  const stop = async () => {
    await Promise.all(started.map((one) => one.stop()));
    await database.end();
  };
  try {
    const origin = await start(
      'floor',
      (port) => [NEXT, 'start', dir, '-p', port, '-H', '127.0.0.1'],
      '/login',
    );
    const plain = await start('floor-plain', () => [`${SOURCE}/plain.ts`], '/');
    return {
      origin,
      plain,
      stop,
      inserted: async () =>
        (await database.query<{ n: number }>('SELECT count(*)::int AS n FROM bodies')).rows[0]!.n,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
