import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { rows } from '../database.ts';
import { processes, type ProcessName } from '../processes.ts';
import { DATA_DIR } from '../surroundings.ts';
import type { Random } from './random.ts';

/**
 * Process failures. Their order and durations are random; every failure of a round happens, unless
 * its process is suspended.
 */

export type Blow =
  | 'kill worker'
  | 'kill worker-2'
  | 'kill web'
  | 'kill web-2'
  | 'kill sandbox'
  | 'kill postgres'
  | 'kill backend'
  | 'restart postgres'
  | 'freeze worker'
  | 'freeze worker-2'
  | 'freeze web'
  | 'freeze web-2';

/** The failures of one round. Each round draws its order anew. */
const ROUND: readonly Blow[] = [
  'kill worker',
  'kill worker',
  'kill worker',
  'kill worker-2',
  'kill worker-2',
  'kill web',
  'kill web',
  'kill web-2',
  'kill sandbox',
  'kill postgres',
  'kill backend',
  'restart postgres',
  'freeze worker',
  'freeze worker-2',
  'freeze web',
  'freeze web-2',
];
const DOWN_MAX_MS = 1_000;
/** A process that takes longer than this to come back has a defect. */
const BACK_MS = 120_000;
const LOOK_MS = 50;

export type Trouble = {
  /**
   * Causes the next failure; resolves when the process is coming back. It leaves a suspended
   * process alone.
   */
  strike(): Promise<Blow>;
  /**
   * Sends SIGSTOP to a process for `ms`, without any other failure of it meanwhile; calls `stopped`
   * when the process has stopped. Rejects when the trouble ends before `ms` have passed.
   */
  suspend(name: ProcessName, ms: number, stopped: () => Promise<void>): Promise<void>;
  /** Resumes every process, and waits until all of them run. No later call suspends a process. */
  end(): Promise<void>;
};

export function trouble(random: Random, freezesMs: readonly number[]): Trouble {
  let round: Blow[] = [];
  const frozen = new Map<ProcessName, Promise<void>>();
  const suspended = new Set<ProcessName>();
  const ended = new AbortController();
  let striking: Promise<unknown> = Promise.resolve();

  const freeze = async (name: ProcessName) => {
    await up(name);
    await processes.freeze(name);
    const thaw = pause(random.pick(freezesMs), undefined, { signal: ended.signal })
      .catch(() => undefined)
      .then(() => up(name))
      // One that was killed meanwhile has a successor, which is not suspended.
      .then(() => processes.thaw(name).catch(() => undefined));
    frozen.set(name, thaw);
    void thaw.finally(() => frozen.delete(name));
  };
  const nextBlow = (): Blow => {
    for (;;) {
      if (round.length === 0) round = shuffled(random, ROUND);
      const blow = round.pop()!;
      const [verb, victim] = blow.split(' ') as [string, ProcessName];
      if (!suspended.has(victim) && !(verb === 'freeze' && frozen.has(victim))) return blow;
    }
  };
  const strike = async (blow: Blow): Promise<Blow> => {
    const [verb, victim] = blow.split(' ') as [string, ProcessName | 'backend'];
    if (blow === 'restart postgres') {
      await processes.stop('postgres');
      await processes.start('postgres');
      await databaseAnswers();
    } else if (blow === 'kill postgres') await killPostgres();
    else if (victim === 'backend') await killBackend();
    else if (verb === 'freeze') await freeze(victim);
    else await kill(victim, random.between(0, DOWN_MAX_MS));
    return blow;
  };
  return {
    strike() {
      const blow = strike(nextBlow());
      striking = blow.catch(() => undefined);
      return blow;
    },
    async suspend(name, ms, stopped) {
      suspended.add(name);
      try {
        // Another failure of the process may still be under way, and an earlier, shorter suspension
        // would resume it too early.
        await striking;
        await frozen.get(name);
        const pid = await up(name);
        ended.signal.throwIfAborted();
        await processes.freeze(name);
        await Promise.all([pause(ms, undefined, { signal: ended.signal }), stopped()]);
        if ((await processes.pid(name)) !== pid)
          throw new Error(`${name} did not outlive its suspension`);
      } finally {
        await processes.thaw(name).catch(() => undefined);
        suspended.delete(name);
      }
    },
    async end() {
      ended.abort();
      await Promise.all(frozen.values());
      await databaseAnswers();
      await resumeAll();
    },
  };
}

async function resumeAll(): Promise<void> {
  for (const { name } of await processes.list()) {
    await up(name);
    await processes.thaw(name);
  }
}

/** Kills a process and starts it again after `downMs`. */
export async function kill(name: ProcessName, downMs = 0): Promise<void> {
  const pid = await up(name);
  await processes.kill(name);
  await until(`${name} is dead`, async () => (await processes.pid(name)) !== pid);
  await pause(downMs);
  await processes.start(name);
}

/**
 * Kills the PostgreSQL server itself, not its supervisor: the next start recovers and rolls back
 * the open transactions.
 */
async function killPostgres(): Promise<void> {
  await databaseAnswers();
  process.kill(
    Number.parseInt(readFileSync(join(DATA_DIR, 'postgres', 'data', 'postmaster.pid'), 'utf8'), 10),
    'SIGKILL',
  );
  await databaseAnswers();
}

/**
 * Kills the process of one connection: PostgreSQL then terminates all other connections and
 * recovers.
 */
async function killBackend(): Promise<void> {
  await databaseAnswers();
  const [backend] = await rows<{ pid: number }>(
    `SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend'
      AND usename IN ('dashboard_web', 'dashboard_worker') ORDER BY random() LIMIT 1`,
  );
  if (backend === undefined) return;
  try {
    process.kill(backend.pid, 'SIGKILL');
  } catch (error) {
    // The connection has ended meanwhile.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Starts the process if it does not run. Resolves with its process id. */
export async function up(name: ProcessName): Promise<number> {
  let pid: number | undefined;
  await until(`${name} runs`, async () => {
    pid = await processes.pid(name);
    if (pid === undefined) await processes.start(name);
    return pid !== undefined;
  });
  return pid!;
}

export async function databaseAnswers(): Promise<void> {
  await until('the database answers', async () => {
    // PostgreSQL may refuse to start while the last processes of the previous server are still
    // exiting.
    await up('postgres');
    return rows('SELECT 1').then(
      () => true,
      () => false,
    );
  });
}

/** Waits until `check` is true; an error names `what` did not happen. */
export async function until(
  what: string,
  check: () => Promise<boolean> | boolean,
  timeoutMs = BACK_MS,
): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (!(await check())) {
    if (Date.now() > deadline)
      throw new Error(`It did not happen in ${timeoutMs / 1000} s: ${what}`);
    await pause(LOOK_MS);
  }
}

function shuffled<T>(random: Random, list: readonly T[]): T[] {
  return list
    .map((one) => ({ one, at: random.next() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ one }) => one);
}
