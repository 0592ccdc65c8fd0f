/**
 * Starts the whole product as processes: database, sandbox, any number of workers and webs. `npm
 * start`, `npm run dev` and the browser tests start the same stack with different numbers.
 */
import { once } from 'node:events';
import { join } from 'node:path';
import { migrate } from '../prisma/migrate.ts';
import { ensureBuild, ensureGenerated } from './build.ts';
import { dropUnfinishedHistory, writeDemoHistory } from './demo/start.ts';
import { baseEnvironment, providerEnvironment, sandboxEnvironment } from './environment.ts';
import { waitForHealth } from './health.ts';
import { openLogins, type Logins } from './logins.ts';
import { lockHolder, takeLock, type Lock } from './lock.ts';
import { startPostgres, type Postgres } from './postgres.ts';
import { nodeProgram, supervise, type Environment, type Supervised } from './processes.ts';
import { Refused } from './refused.ts';
import { localOrigin, type Settings } from './settings.ts';
import { refuseBusyPorts, webAddresses } from './stack-addresses.ts';
import { restartOnChange } from './watch.ts';

const BOOT_MS = 120_000;
/**
 * The dashboard answers before all its dependencies do. After this time the start goes on and
 * prints what is not ready.
 */
const ALL_READY_MS = 30_000;
/**
 * GRACE_MS: how long another start may take to report that it is stopping. STOPPING_MS: how long it
 * may take to stop.
 */
const GRACE_MS = 1_500;
const STOPPING_MS = 80_000;
/**
 * How long each kind of process may take to stop. A request that a worker is sending is answered or
 * given up within 40 s, and its answer is recorded before the worker ends.
 */
const STOP_MS = { web: 5_000, worker: 50_000, sandbox: 5_000 };

export type StackOptions = Settings & {
  /** The first web listens on `port`, each further one on a free port. */
  webs?: number;
  /** A proxy in front of the webs: the origin that browsers use, and the ports of the webs. */
  proxy?: { origin: string; ports: readonly number[] };
  /** How webs and workers sign in to the database of `databaseUrl`; without it, as its owner. */
  logins?: Logins;
  workers?: number;
  /** A new demo begins with some weeks of its merchant's history. */
  history?: boolean;
  /** Runs the webs with hot reload instead of the production build. */
  dev?: boolean;
  /** Variables added to those of this process, for all processes but the sandbox. */
  env?: Record<string, string>;
  signal?: AbortSignal;
  /** Called for every step of the start and for every process that had to be restarted. */
  say?: (line: string) => void;
};
export type Stack = {
  /** The address of each web, in order. */
  origins: string[];
  sandboxUrl: string | undefined;
  databaseUrl: string;
  postgres: Postgres | undefined;
  sandbox: Supervised | undefined;
  workers: Supervised[];
  webs: Supervised[];
  /** A sentence about what did not become ready in time; undefined when everything did. */
  notReady: string | undefined;
  /**
   * Stops the processes in the order web, worker, sandbox, database, and keeps the data. May be
   * called twice.
   */
  stop(): Promise<void>;
};

/** The order in which parts are stopped: what uses another part is stopped before it. */
const STOPPED = {
  watch: 0,
  web: 1,
  worker: 2,
  sandbox: 3,
  build: 4,
  postgres: 5,
  lock: 6,
} as const;

/** The values that the steps of a start share. */
type Boot = {
  options: StackOptions;
  say: (line: string) => void;
  /** Aborted when a person interrupts the start or one of its parts has failed. */
  signal: AbortSignal;
  fail(error: unknown): void;
  /** What is called at the end, also when a start failed half way. */
  stoppers: { rank: number; stop: () => Promise<void> | void }[];
};

/**
 * Starts all processes and waits until they are ready. Everything begins at once: web and worker
 * load their code while PostgreSQL and the sandbox start, and are then told to begin.
 *
 * @throws Refused when the folder is in use, a port is busy, or a process does not become ready;
 * all that had started is stopped first
 */
export async function startStack(options: StackOptions): Promise<Stack> {
  const lock = await takeFolder(options.dataDir);
  const boot = newBoot(options);
  boot.stoppers.push({ rank: STOPPED.lock, stop: () => lock.release() });
  let stopped: Promise<void> | undefined;
  const stop = () => (stopped ??= stopAll(boot, lock));
  try {
    lock.describe({ pid: process.pid });
    dropUnfinishedHistory(options.dataDir);
    await refuseBusyPorts(options);
    const addresses = await webAddresses(options);
    const environment = baseEnvironment(options, options.env ?? {});
    const database = startDatabase(boot);
    const front = options.proxy?.origin ?? addresses[0]!.origin;
    const provider = startSandbox(boot, front, environment);
    const [
      { webs, workers },
      { databaseUrl, logins, postgres },
      { sandbox, sandboxUrl, variables },
    ] = await together(boot, [
      startProduct(boot, addresses, environment),
      database,
      provider,
      // The build of a fresh clone takes longer than the history.
      writeHistory(boot, addresses[0]!.port, environment, database, provider),
    ]);
    await beginProduct(boot, { webs, workers }, variables, logins);
    const origins = addresses.map((address) => address.origin);
    const notReady = await waitForHealth(origins[0]!, ALL_READY_MS, options.signal);
    lock.describe({ pid: process.pid, dashboard: origins[0], sandbox: sandboxUrl, databaseUrl });
    return { origins, sandboxUrl, databaseUrl, postgres, sandbox, workers, webs, notReady, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function newBoot(options: StackOptions): Boot {
  const failed = new AbortController();
  const signals = [failed.signal, ...(options.signal === undefined ? [] : [options.signal])];
  return {
    options,
    say: options.say ?? (() => {}),
    signal: AbortSignal.any(signals),
    fail: (error) => failed.abort(error),
    stoppers: [],
  };
}

/**
 * Waits for all parts. When one fails, the others are interrupted and waited for, so that none of
 * them starts a process after the stop.
 */
async function together<T extends readonly Promise<unknown>[] | []>(
  boot: Boot,
  parts: T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  for (const part of parts) part.catch((error: unknown) => boot.fail(error));
  await Promise.allSettled(parts);
  boot.signal.throwIfAborted();
  return Promise.all(parts);
}

async function stopAll({ stoppers }: Boot, lock: Lock): Promise<void> {
  lock.describe({ pid: process.pid, stopping: true });
  for (const { stop } of stoppers.toSorted((a, b) => a.rank - b.rank)) await stop();
}

/**
 * Takes the lock of the data folder. When another start is stopping, waits until it has stopped;
 * when another start goes on running, refuses.
 */
async function takeFolder(dataDir: string): Promise<Lock> {
  const begun = Date.now();
  for (;;) {
    const lock = takeLock(dataDir);
    if (lock !== undefined) return lock;
    const waitMs = lockHolder(dataDir)['stopping'] === true ? STOPPING_MS : GRACE_MS;
    if (Date.now() - begun > waitMs) throw new Refused(alreadyRunning(dataDir));
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

async function startDatabase({
  options,
  say,
  stoppers,
}: Boot): Promise<{ databaseUrl: string; logins: Logins; postgres: Postgres | undefined }> {
  let postgres: Postgres | undefined;
  if (options.databaseUrl === undefined) {
    postgres = await startPostgres({ dataDir: options.dataDir, say });
    stoppers.push({ rank: STOPPED.postgres, stop: postgres.stop });
  }
  const databaseUrl = options.databaseUrl ?? postgres!.url;
  const where =
    postgres === undefined
      ? 'the one that DATABASE_URL names'
      : `embedded, on 127.0.0.1:${postgres.port}`;
  say(`database    ${where}`);
  const applied = await migrate(databaseUrl).catch((error: Error) => {
    throw new Refused(error.message);
  });
  say(`migrations  ${applied.length === 0 ? 'up to date' : `${applied.length} applied`}`);
  // The owner of a database server that this start did not start decides which roles may sign in.
  const logins =
    postgres === undefined
      ? (options.logins ?? {
          web: { DATABASE_URL: databaseUrl },
          worker: { DATABASE_URL: databaseUrl },
        })
      : await openLogins(databaseUrl);
  return { databaseUrl, logins, postgres };
}

/** Builds the webs' program. Returns the variables that name the build for the webs. */
async function prepareWeb({
  options,
  say,
  signal,
  stoppers,
}: Boot): Promise<Record<string, string>> {
  if (options.dev === true) return { NODE_ENV: 'development' };
  say('build       checking…');
  const build = await ensureBuild(signal);
  stoppers.push({ rank: STOPPED.build, stop: build.release });
  say(`build       ${build.seconds === undefined ? 'up to date' : `done in ${build.seconds} s`}`);
  return { NODE_ENV: 'production', BUILD_DIR: build.dir };
}

/** `variables`: what web and worker have to know of the sandbox and the person has not set. */
async function startSandbox(
  boot: Boot,
  dashboardOrigin: string,
  environment: Environment,
): Promise<{ sandbox?: Supervised; sandboxUrl?: string; variables: Environment }> {
  const { options, say, stoppers } = boot;
  if (!options.sandbox) return { variables: {} };
  const sandboxUrl = localOrigin(options.host, options.sandboxPort);
  const env = sandboxEnvironment(
    options,
    dashboardOrigin,
    environment['WEBHOOK_KEY']?.split(',')[0] ?? '',
  );
  const sandbox = run(boot, 'sandbox', ['sandbox/main.ts'], env, 'sandbox');
  if (options.dev === true)
    stoppers.push({ rank: STOPPED.watch, stop: restartOnChange(sandbox, 'sandbox', say) });
  await announced(sandbox);
  const known = await providerEnvironment(sandboxUrl);
  const variables = Object.fromEntries(
    Object.entries(known).filter(([name]) => environment[name] === undefined),
  );
  say(`sandbox     ${sandboxUrl}`);
  return { sandbox, sandboxUrl, variables };
}

async function writeHistory(
  boot: Boot,
  port: number,
  environment: Environment,
  database: ReturnType<typeof startDatabase>,
  provider: ReturnType<typeof startSandbox>,
): Promise<void> {
  const [{ databaseUrl, postgres }, { sandboxUrl, variables }] = await Promise.all([
    database,
    provider,
  ]);
  const { history, dataDir } = boot.options;
  if (history !== true || postgres === undefined || sandboxUrl === undefined) return;
  await writeDemoHistory({
    ownerUrl: databaseUrl,
    sandboxUrl,
    environment: { ...environment, ...variables, PORT: String(port) },
    dataDir,
    signal: boot.signal,
    say: boot.say,
  });
}

/** Starts webs and workers, which load their code and wait until they are told to begin. */
async function startProduct(
  boot: Boot,
  addresses: { port: number; origin: string }[],
  environment: Environment,
): Promise<{ webs: Supervised[]; workers: Supervised[] }> {
  const { options } = boot;
  await ensureGenerated(boot.signal);
  const main = {
    ...environment,
    ...(await prepareWeb(boot)),
    PORT: String(options.port),
    APP_ORIGIN: environment['APP_ORIGIN'] ?? options.proxy?.origin ?? addresses[0]!.origin,
    BEGIN_WHEN_TOLD: '1',
  };
  const worker = ['--conditions=react-server', 'lib/worker/main.ts'];
  // Each process has a port of its own for its metrics: the first worker the one after the web's.
  const port = Number(environment['METRICS_PORT'] || 0);
  const workers = Array.from({ length: options.workers ?? 1 }, (_, index) => {
    const own = { METRICS_PORT: port > 0 && index === 0 ? String(port + 1) : undefined };
    return run(boot, numbered('worker', index), worker, { ...main, ...own }, 'worker');
  });
  const web = ['server.ts', ...(options.dev === true ? ['--dev'] : [])];
  const webs = addresses.map(({ port, origin }, index) => {
    const shown = options.proxy?.origin ?? origin;
    const own = { PORT: String(port), APP_ORIGIN: shown, METRICS_PORT: undefined };
    return run(boot, numbered('web', index), web, index === 0 ? main : { ...main, ...own }, 'web');
  });
  return { webs, workers };
}

/** Sends webs and workers what was not known when they started, and waits until they are ready. */
async function beginProduct(
  boot: Boot,
  { webs, workers }: { webs: Supervised[]; workers: Supervised[] },
  variables: Environment,
  logins: Logins,
): Promise<void> {
  for (const web of webs) web.tell({ begin: { ...variables, ...logins.web } });
  for (const worker of workers) worker.tell({ begin: { ...variables, ...logins.worker } });
  // A worker that cannot work yet says so in the dashboard's health.
  await Promise.race([
    Promise.all([
      ...webs.map((web) => announced(web)),
      ...workers.map((worker) => worker.announced(ALL_READY_MS)),
    ]),
    // An interrupt ends the wait.
    once(boot.signal, 'abort'),
  ]);
  boot.signal.throwIfAborted();
  boot.say('worker, web ready');
  if (boot.options.dev !== true) return;
  const watched = [
    ...workers.map((worker) => [worker, 'lib'] as const),
    // The framework reloads what pages use; the server in front of it starts anew.
    ...webs.flatMap((web) => [[web, 'lib/web'] as const, [web, 'lib/webhooks'] as const]),
  ];
  for (const [one, folder] of watched)
    boot.stoppers.push({ rank: STOPPED.watch, stop: restartOnChange(one, folder, boot.say) });
}

/** @throws Refused when the program has not announced itself in time */
async function announced(program: Supervised): Promise<void> {
  if (!(await program.announced(BOOT_MS)))
    throw new Refused(`${program.name} was not ready after ${BOOT_MS / 1_000} s.`);
}

function run(
  { options, say, signal, stoppers }: Boot,
  name: string,
  args: string[],
  env: Environment,
  kind: keyof typeof STOP_MS,
): Supervised {
  signal.throwIfAborted();
  const supervised = supervise(
    {
      ...nodeProgram(name, args, env, join(options.dataDir, 'logs', `${name}.log`)),
      stopMs: STOP_MS[kind],
    },
    say,
  );
  stoppers.push({ rank: STOPPED[kind], stop: () => supervised.stop() });
  return supervised;
}

function alreadyRunning(dataDir: string): string {
  const { pid, dashboard } = lockHolder(dataDir);
  const where = dashboard === undefined ? 'it is still starting' : `at ${String(dashboard)}`;
  return (
    `The dashboard is already running on ${dataDir} (${where}; process ` +
    `${String(pid ?? 'unknown')}). For a second one set DATA_DIR, PORT and SANDBOX_PORT.`
  );
}

function numbered(name: string, index: number): string {
  return index === 0 ? name : `${name}-${index + 1}`;
}
