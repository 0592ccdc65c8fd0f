import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Refused } from './refused.ts';

const BACKOFF_FIRST_MS = 500;
const BACKOFF_MAX_MS = 30_000;
/**
 * A process that lived this long has recovered: its next end starts the backoff from the beginning.
 */
const HEALTHY_AFTER_MS = 60_000;
const STOP_MS = 10_000;
/** The interval between checks of a program that announces nothing. */
const CHECK_MS = 100;
const TAIL_LINES = 15;

/** The project's root folder, without a trailing slash. */
export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));

/**
 * The names and values of environment variables. Next.js adds a required name to
 * `NodeJS.ProcessEnv`, which this type does not require.
 */
export type Environment = Record<string, string | undefined>;

export type Program = {
  name: string;
  command: string;
  args: string[];
  cwd?: string;
  env: Environment;
  /**
   * The file for the output of the program; the log of the former start is kept as `.1`. Without a
   * file, the output goes to this terminal.
   */
  logFile?: string;
  stopSignal?: NodeJS.Signals;
  stopMs?: number;
};

export type Supervised = {
  readonly name: string;
  readonly pid: number | undefined;
  readonly restarts: number;
  /**
   * Resolves when `check` answers true; rejects with the last lines of the log when the program
   * ends before that or is not ready in time.
   */
  ready(check: () => Promise<boolean>, timeoutMs: number): Promise<void>;
  /**
   * Waits until the program announces that it is ready (`{ready: true}` on its IPC channel). Returns
   * false when it has not by then, and supervises it from then on in both cases; rejects like
   * `ready` when it ends before that.
   */
  announced(timeoutMs: number): Promise<boolean>;
  /** Sends a message to the program, now and again whenever it is started anew. */
  tell(message: object): void;
  /** Ends the program and does not start it again. */
  stop(): Promise<void>;
  /** Starts the program after `stop`, or at once when it waits for the pause after a crash. */
  start(): void;
};

/**
 * Starts a program, and starts it again after growing pauses whenever it ends by itself after it
 * was ready once. Each program runs in a session of its own, so that a Ctrl-C in the terminal
 * reaches only the supervisor, which then ends all programs in order. Each has an IPC channel, by
 * which it notices that the supervisor has ended.
 */
export function supervise(program: Program, say: (line: string) => void): Supervised {
  const run = newRun();
  let restarts = 0;
  let backoffMs = BACKOFF_FIRST_MS;
  let startedAt = 0;
  let stopping = false;
  let wasReady = false;
  let again: NodeJS.Timeout | undefined;

  const begin = () => {
    startedAt = Date.now();
    run.attach(launch(program), onEnd);
  };
  const onEnd = (how: string) => {
    if (run.ended) return;
    run.end(how);
    if (stopping || !wasReady) return;
    if (Date.now() - startedAt > HEALTHY_AFTER_MS) backoffMs = BACKOFF_FIRST_MS;
    say(`${program.name} ended (${how}); starting it again in ${backoffMs / 1000} s`);
    again = setTimeout(() => {
      restarts += 1;
      begin();
    }, backoffMs);
    backoffMs = Math.min(backoffMs * 2, BACKOFF_MAX_MS);
  };
  const afterStart = () => {
    wasReady = true;
    if (!run.ended) return;
    // The program answered and then ended before this was called. It is treated like a program
    // that ends after it was ready.
    run.ended = false;
    onEnd('while starting');
  };
  if (program.logFile !== undefined) rotate(program.logFile);
  begin();

  return {
    name: program.name,
    get pid() {
      return run.ended ? undefined : run.child?.pid;
    },
    get restarts() {
      return restarts;
    },
    async ready(check, timeoutMs) {
      await untilReady(program, check, timeoutMs, run, () => run.ended && !wasReady);
      afterStart();
    },
    async announced(timeoutMs) {
      const isReady = await untilAnnounced(program, timeoutMs, run);
      afterStart();
      return isReady;
    },
    tell: (message) => run.tell(message),
    async stop() {
      stopping = true;
      clearTimeout(again);
      if (run.child === undefined || run.ended) return;
      await end(run.child, program.stopSignal ?? 'SIGTERM', program.stopMs ?? STOP_MS);
    },
    start() {
      if (!stopping && !(wasReady && run.ended)) return;
      if (!stopping) restarts += 1;
      clearTimeout(again);
      stopping = false;
      begin();
    },
  };
}

/** The present run of a program, and what is said on its IPC channel. */
type Run = {
  child: ChildProcess | undefined;
  ended: boolean;
  howEnded: string;
  hasAnnounced: boolean;
  /** Resolves at the next announcement or end. */
  news(): Promise<void>;
  attach(child: ChildProcess, onEnd: (how: string) => void): void;
  end(how: string): void;
  tell(message: object): void;
};

function newRun(): Run {
  let next = Promise.withResolvers<void>();
  let told: object | undefined;
  const report = () => {
    next.resolve();
    next = Promise.withResolvers();
  };
  const run: Run = {
    child: undefined,
    ended: false,
    howEnded: '',
    hasAnnounced: false,
    news: () => next.promise,
    attach(child, onEnd) {
      Object.assign(run, { child, ended: false, hasAnnounced: false });
      child.once('error', (error) => onEnd(error.message));
      child.once('exit', (code, signal) => onEnd(signal ?? `exit code ${code}`));
      child.on('message', (message) => {
        if ((message as { ready?: unknown }).ready !== true) return;
        run.hasAnnounced = true;
        report();
      });
      if (told !== undefined) run.tell(told);
    },
    end(how) {
      Object.assign(run, { ended: true, howEnded: how });
      report();
    },
    tell(message) {
      told = message;
      if (run.child?.connected === true) run.child.send(message, () => undefined);
    },
  };
  return run;
}

/**
 * Waits until `check` answers true; an announcement of the program makes it check at once.
 *
 * @throws Refused when the program ended while starting, or is not ready in time.
 */
async function untilReady(
  program: Program,
  check: () => Promise<boolean>,
  timeoutMs: number,
  run: Run,
  hasEnded: () => boolean,
): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const news = run.news();
    if (await check().catch(() => false)) return;
    if (hasEnded()) throw endedWhileStarting(program, run);
    if (Date.now() > deadline) {
      throw new Refused(
        `${program.name} was not ready after ${timeoutMs / 1000} s.${tail(program)}`,
      );
    }
    const wait = pause(CHECK_MS);
    await Promise.race([news, wait.promise]);
    wait.cancel();
  }
}

/**
 * Waits until the program announces that it is ready. Returns false when it has not by then.
 *
 * @throws Refused when the program ended before that.
 */
async function untilAnnounced(program: Program, timeoutMs: number, run: Run): Promise<boolean> {
  const late = pause(timeoutMs);
  const isDecided = () => run.hasAnnounced || run.ended || late.over;
  while (!isDecided()) await Promise.race([run.news(), late.promise]);
  late.cancel();
  if (run.ended && !run.hasAnnounced) throw endedWhileStarting(program, run);
  return run.hasAnnounced;
}

function endedWhileStarting(program: Program, { howEnded }: Run): Refused {
  return new Refused(`${program.name} ended while starting (${howEnded}).${tail(program)}`);
}

/** A pause that can be ended early, so that it keeps no process alive. */
function pause(ms: number): { readonly over: boolean; promise: Promise<void>; cancel(): void } {
  let over = false;
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(() => {
    over = true;
    resolve();
  }, ms);
  return {
    get over() {
      return over;
    },
    promise,
    cancel: () => clearTimeout(timer),
  };
}

function launch(program: Program): ChildProcess {
  const output = program.logFile === undefined ? 'inherit' : openSync(program.logFile, 'a', 0o600);
  const child = spawn(program.command, program.args, {
    cwd: program.cwd ?? ROOT,
    env: program.env as NodeJS.ProcessEnv,
    stdio: ['ignore', output, output, 'ipc'],
    detached: true,
  });
  if (typeof output === 'number') closeSync(output);
  return child;
}

async function end(child: ChildProcess, signal: NodeJS.Signals, waitMs: number): Promise<void> {
  await new Promise<void>((resolve) => {
    const force = setTimeout(() => child.kill('SIGKILL'), waitMs);
    child.once('exit', () => {
      clearTimeout(force);
      resolve();
    });
    child.kill(signal);
    // A suspended process would not receive the signal.
    child.kill('SIGCONT');
  });
}

/** Keeps the log of the former start beside the new log, as `.1`. */
function rotate(logFile: string): void {
  mkdirSync(dirname(logFile), { recursive: true, mode: 0o700 });
  if (existsSync(logFile)) renameSync(logFile, `${logFile}.1`);
}

function tail(program: Program): string {
  if (program.logFile === undefined) return '';
  try {
    const text = readFileSync(program.logFile, 'utf8').trimEnd();
    // The one sentence about a wrong variable needs no stack trace.
    const environment = /^(?:\w*Error: )?(Environment: .*)$/m.exec(text)?.[1];
    if (environment !== undefined) return ` ${environment}`;
    const lines = text.split('\n').slice(-TAIL_LINES);
    return ` The last lines of ${program.logFile}:\n${lines.map((line) => `    ${line}`).join('\n')}`;
  } catch {
    return '';
  }
}

/**
 * Describes a Node program of this project (Node runs TypeScript directly). It ends when the
 * supervisor ends, even by SIGKILL.
 */
export function nodeProgram(
  name: string,
  args: string[],
  env: Environment,
  logFile?: string,
): Program {
  const preload = join(ROOT, 'scripts', 'die-with-parent.mjs');
  return {
    name,
    command: process.execPath,
    args: ['--import', preload, ...args],
    env,
    ...(logFile === undefined ? {} : { logFile }),
  };
}
