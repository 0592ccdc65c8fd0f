/**
 * The processes of an upgrade on one database: web and worker of the former version from the start
 * on, and the steps of the upgrade, which the suite takes while its payments flow.
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { ensureBuild, ensureGenerated } from '../build.ts';
import { runNode } from '../command.ts';
import { baseEnvironment, providerEnvironment, sandboxEnvironment } from '../environment.ts';
import { openLogins, type Logins } from '../logins.ts';
import { freePort } from '../ports.ts';
import { startPostgres } from '../postgres.ts';
import { nodeProgram, ROOT, supervise, type Environment, type Supervised } from '../processes.ts';
import { Refused } from '../refused.ts';
import type { Settings } from '../settings.ts';
import { openEntry, type Entry } from './entry.ts';

const BOOT_MS = 180_000;
/** As in scripts/stack.ts: a request that is on the wire is answered or given up within 40 s. */
const STOP_MS = { web: 5_000, worker: 50_000 };
/** Waits that are as short as the sandbox allows, as in the crash tests. */
const IMPATIENT = { RESEND_QUIET_SECONDS: '6', MANUAL_REVIEW_SECONDS: '30', LOG_LEVEL: 'warn' };

/** A version of the product: its files and its build, relative to them. */
export type Version = { folder: string; buildDir: string };
type Told = { signal: AbortSignal; say: (line: string) => void };
type Stage = {
  /** What the suite has to know; see e2e/README.md. */
  env: Environment;
  stop(): Promise<void>;
};

/**
 * Starts database, sandbox and the former version. The suite then sends `POST CONTROL_URL/migrate`,
 * `/join` and `/leave`, and each answers when it is done.
 */
export async function openStage(former: Version, dataDir: string, told: Told): Promise<Stage> {
  const stops: (() => Promise<void> | void)[] = [];
  const stop = async (): Promise<void> => {
    for (const one of stops.splice(0).toReversed()) await one();
  };
  try {
    await ensureGenerated(told.signal);
    told.say('build       of the present files…');
    const build = await ensureBuild(told.signal);
    stops.push(build.release);
    const present = { folder: ROOT, buildDir: build.dir };
    const postgres = await startPostgres({ dataDir, durable: false });
    stops.push(postgres.stop);
    await migrateAs(former, postgres.url, told);
    const entry = await openEntry();
    stops.push(entry.close);
    const ports = { former: await freePort(), present: await freePort() };
    const origins = { former: localhost(ports.former), present: localhost(ports.present) };
    const settings = await settingsOf(dataDir, ports.former);
    const base = await startProvider(settings, entry, stops, told);
    const logins = await openLogins(postgres.url);
    const begin = (version: Version, name: string, port: number): Promise<() => Promise<void>> =>
      beginVersion({ version, name, port, base, logins, dataDir, told });
    const leave = await begin(former, 'former', ports.former);
    stops.push(leave);
    entry.inService.add(origins.former);
    const control = await openControl(entry, {
      migrate: () => migrateAs(present, postgres.url, told),
      join: async () => {
        stops.push(await begin(present, 'present', ports.present));
        entry.inService.add(origins.present);
      },
      // The proxy of an installation takes a web out of service before it is stopped.
      leave: async () => {
        entry.inService.delete(origins.former);
        await leave();
      },
    });
    stops.push(() => void control.close());
    const env = {
      ...IMPATIENT,
      BASE_URL: origins.former,
      BASE_URL_2: origins.present,
      SANDBOX_URL: localhost(settings.sandboxPort),
      TEST_DATABASE_URL: postgres.url,
      DATA_DIR: dataDir,
      DATA_KEY: base['DATA_KEY'],
      CONTROL_URL: localhost((control.address() as AddressInfo).port),
      BUILD_FOLDERS: [former.folder, ROOT].map((folder) => join(folder, '.builds')).join(':'),
    };
    return { env, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function settingsOf(dataDir: string, port: number): Promise<Settings> {
  const sandboxPort = await freePort();
  const host = '127.0.0.1';
  return { host, port, sandboxPort, sandbox: true, dataDir, databaseUrl: undefined };
}

/** Applies the migrations of a version by its own program, as an installation does. */
async function migrateAs({ folder }: Version, databaseUrl: string, { signal }: Told) {
  const env = { ...process.env, DATABASE_URL: databaseUrl };
  const ran = await runNode(['prisma/migrate.ts'], { cwd: folder, env, signal });
  if (ran.code !== 0) throw new Refused(`The migrations failed: ${ran.output}`);
  return ran.output.trim();
}

/** Starts the sandbox. Returns what web and worker of both versions have in common. */
async function startProvider(
  settings: Settings,
  entry: Entry,
  stops: (() => Promise<void> | void)[],
  { say }: Told,
): Promise<Environment> {
  const base = baseEnvironment(settings, IMPATIENT);
  const env = sandboxEnvironment(settings, entry.origin, base['WEBHOOK_KEY'] ?? '');
  const log = join(settings.dataDir, 'logs', 'sandbox.log');
  const sandbox = supervise(nodeProgram('sandbox', ['sandbox/main.ts'], env, log), say);
  stops.push(() => sandbox.stop());
  await ready(sandbox);
  const provider = await providerEnvironment(localhost(settings.sandboxPort));
  return { ...base, ...provider, NODE_ENV: 'production' };
}

/** Starts web and worker of a version. Returns what stops both, the worker at the same time. */
async function beginVersion(part: {
  version: Version;
  name: string;
  port: number;
  base: Environment;
  logins: Logins;
  dataDir: string;
  told: Told;
}): Promise<() => Promise<void>> {
  const { version, name, port, base, logins, dataDir, told } = part;
  told.signal.throwIfAborted();
  const start = (kind: 'web' | 'worker', args: string[], own: Environment): Supervised => {
    const log = join(dataDir, 'logs', `${kind}-${name}.log`);
    const program = nodeProgram(`${kind} (${name})`, args, { ...base, ...own }, log);
    return supervise({ ...program, cwd: version.folder, stopMs: STOP_MS[kind] }, told.say);
  };
  const own = { PORT: String(port), APP_ORIGIN: localhost(port), BUILD_DIR: version.buildDir };
  const both = [
    start('web', ['server.ts'], { ...own, ...logins.web }),
    start('worker', ['--conditions=react-server', 'lib/worker/main.ts'], {
      ...own,
      ...logins.worker,
    }),
  ];
  const leave = async (): Promise<void> => void (await Promise.all(both.map((one) => one.stop())));
  try {
    await Promise.all(both.map(ready));
  } catch (error) {
    await leave();
    throw error;
  }
  told.say(`${name.padEnd(12)}web and worker ready`);
  return leave;
}

async function ready(program: Supervised): Promise<void> {
  if (!(await program.announced(BOOT_MS)))
    throw new Refused(`${program.name} was not ready after ${BOOT_MS / 1_000} s.`);
}

/** Takes one step at a time. `GET /`: how often each web answered a webhook with each status. */
async function openControl(
  entry: Entry,
  steps: Record<string, () => Promise<unknown>>,
): Promise<Server> {
  const server = createServer(async (request, response) => {
    const step = steps[(request.url ?? '').slice(1)];
    const answer = (status: number, body: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (request.method === 'GET') return answer(200, Object.fromEntries(entry.answers));
    if (step === undefined) return answer(404, { error: 'no such step' });
    try {
      answer(200, { done: (await step()) ?? null });
    } catch (error) {
      answer(500, { error: error instanceof Error ? error.message : String(error) });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

const localhost = (port: number): string => `http://127.0.0.1:${port}`;
