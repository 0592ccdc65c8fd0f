/**
 * Runs PostgreSQL and stops it when the supervisor ends. PostgreSQL has no IPC channel by which it
 * could notice that end, so this process has the channel instead. The first argument says what to
 * run, as JSON.
 */
import { spawn } from 'node:child_process';
import { readFileSync, readlinkSync, realpathSync, rmSync, watch } from 'node:fs';
import { join } from 'node:path';
import { bareEnvironment, type Account } from './postgres-files.ts';

/**
 * SIGINT is PostgreSQL's fast shutdown. When PostgreSQL does not end within this time, it gets
 * SIGQUIT, the immediate shutdown, after which the next start recovers the database.
 */
const FAST_STOP_MS = 10_000;
const ORPHAN_STOP_MS = 15_000;
/** The line of PostgreSQL's pid file that holds its state, counted from zero. */
const PID_FILE_STATUS = 7;

export type Kept = { command: string; args: string[]; data: string; account: Account | undefined };

if (import.meta.main) await keep(JSON.parse(process.argv[2] ?? '') as Kept);

async function keep(kept: Kept): Promise<void> {
  let stopping = false;
  let stop: () => void = () => process.exit(0);
  const onStop = () => {
    if (!stopping) stop();
    stopping = true;
  };
  process.on('disconnect', onStop);
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, onStop);

  await stopOrphan(kept.data);
  announceWhenReady(kept.data);
  const child = spawn(kept.command, kept.args, {
    cwd: kept.data,
    env: bareEnvironment(),
    stdio: ['ignore', 'inherit', 'inherit'],
    ...kept.account,
  });
  stop = () => {
    child.kill('SIGINT');
    setTimeout(() => child.kill('SIGQUIT'), FAST_STOP_MS).unref();
  };
  child.on('error', (error) => {
    console.error(error.message);
    process.exit(1);
  });
  child.on('exit', (code, signal) => process.exit(signal === null ? (code ?? 1) : 1));
}

/**
 * Announces to the supervisor when PostgreSQL takes connections: it then writes "ready" into the last line
 * of its pid file. The supervisor also tries to connect from time to time, because not every file
 * system reports changes.
 */
function announceWhenReady(data: string): void {
  const pidFile = join(data, 'postmaster.pid');
  try {
    const watcher = watch(data, (_event, name) => {
      if (name !== 'postmaster.pid' || !isReady(pidFile)) return;
      watcher.close();
      process.send?.({ ready: true });
    });
    watcher.on('error', () => undefined);
  } catch {
    // This system cannot watch folders.
  }
}

function isReady(pidFile: string): boolean {
  try {
    return readFileSync(pidFile, 'utf8').split('\n')[PID_FILE_STATUS]?.trim() === 'ready';
  } catch {
    return false;
  }
}

/**
 * Stops a PostgreSQL that is left from a keeper that was killed. The supervisor holds the folder's
 * lock and has one keeper at a time, so a PostgreSQL that still serves these data has no keeper. A
 * process id that now belongs to another program must not keep PostgreSQL from starting, so its
 * file is removed.
 */
export async function stopOrphan(data: string): Promise<void> {
  const pidFile = join(data, 'postmaster.pid');
  const pid = readPid(pidFile);
  if (pid === undefined) return;
  if (!servesData(pid, data)) {
    rmSync(pidFile, { force: true });
    return;
  }
  console.error('A PostgreSQL of an earlier start is still running: stopping it');
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    const deadline = Date.now() + ORPHAN_STOP_MS;
    trySignal(pid, signal);
    while (servesData(pid, data) && Date.now() < deadline)
      await new Promise((resolve) => setTimeout(resolve, 50));
    if (!servesData(pid, data)) return;
  }
  throw new Error(
    `PostgreSQL of an earlier start (process ${pid}) cannot be stopped: end it and start again.`,
  );
}

export function readPid(pidFile: string): number | undefined {
  try {
    const pid = Number.parseInt(readFileSync(pidFile, 'utf8'), 10);
    return Number.isSafeInteger(pid) && pid > 1 ? pid : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Whether a process serves these data. On Linux its working folder must be the data folder;
 * elsewhere it is enough that a process with this id exists.
 */
function servesData(pid: number, data: string): boolean {
  if (!trySignal(pid, 0)) return false;
  if (process.platform !== 'linux') return true;
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(data);
  } catch {
    return false;
  }
}

function trySignal(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(pid, signal);
    return true;
  } catch {
    return false;
  }
}
