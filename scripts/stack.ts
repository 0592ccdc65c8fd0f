/**
 * Starts the whole product as processes: database, sandbox, any number of workers and webs. `npm
 * start`, `npm run dev` and the browser tests start the same stack with different numbers.
 */
import { join } from 'node:path';
import { migrate } from '../prisma/migrate.ts';
import { ensureBuild, ensureGenerated } from './build.ts';
import { dropUnfinishedHistory, writeDemoHistory } from './demo/start.ts';
import { baseEnvironment, providerEnvironment, sandboxEnvironment } from './environment.ts';
import { answers, waitForHealth } from './health.ts';
import { openLogins, type Logins } from './logins.ts';
import { lockHolder, takeLock, type Lock } from './lock.ts';
import { freePort, isPortFree } from './ports.ts';
import { startPostgres, type Postgres } from './postgres.ts';
import { nodeProgram, supervise, type Environment, type Supervised } from './processes.ts';
import { Refused } from './refused.ts';
import { localOrigin, type Settings } from './settings.ts';
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
const PORT_TRIES = 10;
const PORT_PAUSE_MS = 150;
const WEB_STOP_MS = 4_000;
/**
 * A request that is being sent is answered or given up within 40 s, and its answer is recorded
 * before the worker ends.
 */
const WORKER_STOP_MS = 50_000;
const SANDBOX_STOP_MS = 5_000;

export type StackOptions = Settings & {
  /** The first web listens on `port`, each further one on a free port. */
  webs?: number;
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

/** The values that the steps of a start share. */
type Boot = {
  options: StackOptions;
  say: (line: string) => void;
  /** Functions that are called in reverse order at the end, also when a start failed half way. */
  stoppers: (() => Promise<void> | void)[];
};

/**
 * Starts all processes and waits until they answer.
 *
 * @throws Refused when the folder is in use, a port is busy, or a process does not become ready;
 * all that had started is stopped first
 */
export async function startStack(options: StackOptions): Promise<Stack> {
  const lock = await takeFolder(options.dataDir);
  const boot: Boot = { options, say: options.say ?? (() => {}), stoppers: [() => lock.release()] };
  let stopped: Promise<void> | undefined;
  const stop = () => (stopped ??= stopAll(boot, lock));
  try {
    lock.describe({ pid: process.pid });
    dropUnfinishedHistory(options.dataDir);
    await refuseBusyPorts(options);
    const { databaseUrl, logins, postgres } = await startDatabase(boot);
    await ensureGenerated(options.signal);
    const environment = baseEnvironment(options, databaseUrl, options.env ?? {});
    const addresses = await webAddresses(options);
    const { sandbox, sandboxUrl } = await startSandbox(boot, addresses[0]!.origin, environment);
    const history =
      options.history === true && postgres !== undefined && sandboxUrl !== undefined
        ? writeDemoHistory({
            ownerUrl: databaseUrl,
            sandboxUrl,
            environment: { ...environment, PORT: String(addresses[0]!.port) },
            dataDir: options.dataDir,
            signal: options.signal,
            say: boot.say,
          })
        : undefined;
    // The build of a fresh clone takes longer than the history.
    const [web] = await Promise.all([prepareWeb(boot), history]);
    Object.assign(environment, web);
    const { webs, workers } = await startProduct(boot, addresses, environment, logins);
    const origins = addresses.map((address) => address.origin);
    const notReady = await waitForHealth(origins[0]!, ALL_READY_MS, options.signal);
    lock.describe({ pid: process.pid, dashboard: origins[0], sandbox: sandboxUrl, databaseUrl });
    return { origins, sandboxUrl, databaseUrl, postgres, sandbox, workers, webs, notReady, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function stopAll({ stoppers }: Boot, lock: Lock): Promise<void> {
  lock.describe({ pid: process.pid, stopping: true });
  for (const one of stoppers.toReversed()) await one();
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
    stoppers.push(postgres.stop);
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
      ? { web: databaseUrl, worker: databaseUrl }
      : await openLogins(databaseUrl);
  return { databaseUrl, logins, postgres };
}

/** Builds the webs' program. Returns the variables that name the build for the webs. */
async function prepareWeb({ options, say, stoppers }: Boot): Promise<Record<string, string>> {
  if (options.dev === true) return { NODE_ENV: 'development' };
  say('build       checking…');
  const build = await ensureBuild(options.signal);
  stoppers.push(build.release);
  say(`build       ${build.seconds === undefined ? 'up to date' : `done in ${build.seconds} s`}`);
  return { NODE_ENV: 'production', BUILD_DIR: build.dir };
}

async function startSandbox(
  boot: Boot,
  dashboardOrigin: string,
  environment: Environment,
): Promise<{ sandbox?: Supervised; sandboxUrl?: string }> {
  const { options, say } = boot;
  if (!options.sandbox) return {};
  const sandboxUrl = localOrigin(options.host, options.sandboxPort);
  const env = sandboxEnvironment(
    options,
    dashboardOrigin,
    environment['WEBHOOK_KEY']?.split(',')[0] ?? '',
  );
  const sandbox = run(boot, 'sandbox', ['sandbox/main.ts'], env, SANDBOX_STOP_MS);
  if (options.dev === true) boot.stoppers.push(restartOnChange(sandbox, 'sandbox', say));
  await sandbox.ready(() => answers(`${sandboxUrl}/sandbox/credentials`), BOOT_MS);
  for (const [name, value] of Object.entries(await providerEnvironment(sandboxUrl)))
    environment[name] ??= value;
  say(`sandbox     ${sandboxUrl}`);
  return { sandbox, sandboxUrl };
}

async function startProduct(
  boot: Boot,
  addresses: { port: number; origin: string }[],
  environment: Environment,
  logins: Logins,
): Promise<{ webs: Supervised[]; workers: Supervised[] }> {
  const { options } = boot;
  const main = {
    ...environment,
    PORT: String(options.port),
    APP_ORIGIN: environment['APP_ORIGIN'] ?? addresses[0]!.origin,
  };
  const workers = Array.from({ length: options.workers ?? 1 }, (_, index) =>
    run(
      boot,
      numbered('worker', index),
      ['--conditions=react-server', 'lib/worker/main.ts'],
      { ...main, DATABASE_URL: logins.worker },
      WORKER_STOP_MS,
    ),
  );
  const webs = addresses.map(({ port, origin }, index) => {
    const env = {
      ...main,
      DATABASE_URL: logins.web,
      ...(index === 0 ? {} : { PORT: String(port), APP_ORIGIN: origin, METRICS_PORT: undefined }),
    };
    return run(
      boot,
      numbered('web', index),
      ['server.ts', ...(options.dev === true ? ['--dev'] : [])],
      env,
      WEB_STOP_MS,
    );
  });
  let websAnswer = false;
  const websReady = Promise.all(
    webs.map((web, index) =>
      web.ready(() => answers(`${addresses[index]!.origin}/login`), BOOT_MS),
    ),
  );
  // A worker has no address to query, and the dashboard's health includes its heartbeat. Here a
  // worker only has to stay alive until the webs answer.
  await Promise.all([
    websReady.then(() => (websAnswer = true)),
    ...workers.map((worker) => worker.ready(async () => websAnswer, 2 * BOOT_MS)),
  ]);
  boot.say('worker, web started');
  if (options.dev === true)
    boot.stoppers.push(
      ...workers.map((worker) => restartOnChange(worker, 'lib', boot.say)),
      // The framework reloads what pages use; the server in front of it starts anew.
      ...webs.flatMap((web) =>
        ['lib/web', 'lib/webhooks'].map((folder) => restartOnChange(web, folder, boot.say)),
      ),
    );
  return { webs, workers };
}

function run(
  { options, say, stoppers }: Boot,
  name: string,
  args: string[],
  env: Environment,
  stopMs: number,
): Supervised {
  options.signal?.throwIfAborted();
  const supervised = supervise(
    { ...nodeProgram(name, args, env, join(options.dataDir, 'logs', `${name}.log`)), stopMs },
    say,
  );
  stoppers.push(() => supervised.stop());
  return supervised;
}

async function refuseBusyPorts(options: StackOptions): Promise<void> {
  const wanted: [name: string, port: number][] = [
    ['PORT', options.port],
    ...(options.sandbox ? [['SANDBOX_PORT', options.sandboxPort] as [string, number]] : []),
  ];
  if (options.sandbox && options.port === options.sandboxPort)
    throw new Refused(`PORT and SANDBOX_PORT are both ${options.port}: change one of them.`);
  for (const [name, port] of wanted) {
    // The processes of a start that was just killed need a moment to notice it.
    for (let tries = 0; tries < PORT_TRIES && !(await isPortFree(port, options.host)); tries++)
      await new Promise((resolve) => setTimeout(resolve, PORT_PAUSE_MS));
    if (!(await isPortFree(port, options.host))) {
      throw new Refused(
        `Port ${port} of ${options.host} is busy: set ${name} to another one, for example ` +
          `${name}=${await freePort()} npm start`,
      );
    }
  }
}

async function webAddresses(options: StackOptions): Promise<{ port: number; origin: string }[]> {
  const ports = [options.port];
  while (ports.length < (options.webs ?? 1)) ports.push(await freePort());
  return ports.map((port) => ({ port, origin: localOrigin(options.host, port) }));
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
