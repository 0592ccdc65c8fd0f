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
  let child: ChildProcess | undefined;
  let restarts = 0;
  let backoffMs = BACKOFF_FIRST_MS;
  let startedAt = 0;
  let stopping = false;
  let wasReady = false;
  let ended = false;
  let howEnded = '';
  let again: NodeJS.Timeout | undefined;

  const begin = () => {
    startedAt = Date.now();
    ended = false;
    child = launch(program);
    child.once('error', (error) => onEnd(error.message));
    child.once('exit', (code, signal) => onEnd(signal ?? `exit code ${code}`));
  };
  const onEnd = (how: string) => {
    if (ended) return;
    ended = true;
    howEnded = how;
    if (stopping || !wasReady) return;
    if (Date.now() - startedAt > HEALTHY_AFTER_MS) backoffMs = BACKOFF_FIRST_MS;
    say(`${program.name} ended (${how}); starting it again in ${backoffMs / 1000} s`);
    again = setTimeout(() => {
      restarts += 1;
      begin();
    }, backoffMs);
    backoffMs = Math.min(backoffMs * 2, BACKOFF_MAX_MS);
  };
  if (program.logFile !== undefined) rotate(program.logFile);
  begin();

  return {
    name: program.name,
    get pid() {
      return ended ? undefined : child?.pid;
    },
    get restarts() {
      return restarts;
    },
    async ready(check, timeoutMs) {
      await untilReady(program, check, timeoutMs, () => (ended && !wasReady ? howEnded : null));
      wasReady = true;
      if (ended) onEndAfterReady();
    },
    async stop() {
      stopping = true;
      clearTimeout(again);
      if (child === undefined || ended) return;
      await end(child, program.stopSignal ?? 'SIGTERM', program.stopMs ?? STOP_MS);
    },
    start() {
      if (!stopping && !(wasReady && ended)) return;
      if (!stopping) restarts += 1;
      clearTimeout(again);
      stopping = false;
      begin();
    },
  };

  // The program answered and then ended before `ready` returned. It is treated like a program that
  // ends after it was ready.
  function onEndAfterReady(): void {
    ended = false;
    onEnd('while starting');
  }
}

/**
 * Waits until `check` answers true.
 *
 * @throws Refused when the program ended while starting, or is not ready in time.
 */
async function untilReady(
  program: Program,
  check: () => Promise<boolean>,
  timeoutMs: number,
  howEnded: () => string | null,
): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (!(await check().catch(() => false))) {
    const how = howEnded();
    if (how !== null)
      throw new Refused(`${program.name} ended while starting (${how}).${tail(program)}`);
    if (Date.now() > deadline)
      throw new Refused(
        `${program.name} was not ready after ${timeoutMs / 1000} s.${tail(program)}`,
      );
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
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
