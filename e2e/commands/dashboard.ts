/**
 * Runs `npm start` as a person does: a process of its own, observed by its output and ended by
 * signals.
 */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import {
  cpSync,
  existsSync,
  lchownSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { freePort } from '../../scripts/ports.ts';
import { ROOT } from '../../scripts/processes.ts';

const READY = 'Ctrl-C stops everything';
const READY_MS = 180_000;
const NOT_COPIED = [
  'node_modules',
  '.git',
  '.data',
  '.next',
  '.installing',
  'test-results',
  'playwright-report',
];

export type Run = {
  child: ChildProcess;
  port: number;
  dataDir: string;
  output(): string;
  /**
   * Resolves when the process prints that it is ready; rejects with its output when it exits before
   * that.
   */
  ready(): Promise<Run>;
  /** Resolves with the exit code. */
  ended(): Promise<number>;
  /** Sends SIGINT to the whole foreground process group, as a terminal does. */
  interrupt(): void;
  /** The supervisor and its children, by command. */
  processes(): { pid: number; command: string }[];
};
export type RunOptions = {
  root?: string;
  dataDir?: string;
  script?: string;
  /** When absent, the start gets `--empty`: most tests need no history. */
  args?: string[];
  env?: Record<string, string>;
  uid?: number;
  home?: string;
  /** Runs `npm start` itself; `child` is npm. */
  npm?: boolean;
};

/**
 * Runs a command of the project with its own ports and data folder. The process is ended at the end
 * of the test, if it still runs then.
 */
export async function run(options: RunOptions = {}): Promise<Run> {
  const root = options.root ?? ROOT;
  const dataDir = options.dataDir ?? throwawayFolder();
  const port = Number(options.env?.['PORT'] ?? (await freePort()));
  const sandboxPort = options.env?.['SANDBOX_PORT'] ?? String(await freePort());
  const args = options.args ?? (options.script === undefined ? ['--empty'] : []);
  const [command, first] =
    options.npm === true
      ? ['npm', ['start', '--']]
      : [
          join(root, 'node_modules/node/bin/node'),
          [join(root, 'scripts', options.script ?? 'start.mjs')],
        ];
  const child = spawn(command, [...first, ...args], {
    cwd: root,
    env: {
      ...process.env,
      NODE_ENV: undefined,
      VITEST: undefined,
      npm_lifecycle_event: undefined,
      PORT: String(port),
      SANDBOX_PORT: sandboxPort,
      DATA_DIR: dataDir,
      ...options.env,
    } as unknown as NodeJS.ProcessEnv,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
    ...(options.uid === undefined ? {} : { uid: options.uid, gid: options.uid }),
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream!.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const end = new Promise<number>((resolve) => child.once('close', (code) => resolve(code ?? -1)));
  onTestFinished(async () => {
    if (child.exitCode === null && child.signalCode === null) process.kill(-child.pid!, 'SIGTERM');
    await end;
  });
  const self: Run = {
    child,
    port,
    dataDir,
    output: () => output,
    async ready() {
      const deadline = Date.now() + READY_MS;
      while (!output.includes(READY)) {
        if (child.exitCode !== null || child.signalCode !== null || Date.now() > deadline)
          throw new Error(`It did not start:\n${output}`);
        await pause(50);
      }
      return self;
    },
    ended: () => end,
    interrupt: () => process.kill(-child.pid!, 'SIGINT'),
    processes: () => descendants(child.pid!),
  };
  return self;
}

/** A folder that is deleted at the end of the test. */
export function throwawayFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'commands-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

/**
 * A second clone of the installed and built project, in `folder`; its sources belong to `uid`.
 * Packages are linked, not copied.
 */
export function cloneInto(folder: string, uid: number): string {
  const clone = join(folder, 'clone');
  cpSync(ROOT, clone, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (path) => !NOT_COPIED.some((name) => path === join(ROOT, name)),
  });
  for (const path of [folder, ...pathsBelow(clone)]) lchownSync(path, uid, uid);
  try {
    execFileSync('cp', ['-al', join(ROOT, 'node_modules'), clone], { stdio: 'ignore' });
  } catch {
    // On another file system hard links are impossible.
    execFileSync('cp', ['-a', join(ROOT, 'node_modules'), clone]);
  }
  return clone;
}

function pathsBelow(path: string): string[] {
  if (!lstatSync(path).isDirectory()) return [path];
  return [path, ...readdirSync(path).flatMap((name) => pathsBelow(join(path, name)))];
}

/** All running processes below `pid`, `pid` included, from Linux's /proc. */
export function descendants(pid: number): { pid: number; command: string }[] {
  const parents = new Map<number, number[]>();
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    const parent = parentOf(Number(name));
    if (parent !== undefined) parents.set(parent, [...(parents.get(parent) ?? []), Number(name)]);
  }
  const walk = (one: number): number[] => [one, ...(parents.get(one) ?? []).flatMap(walk)];
  return walk(pid).map((one) => ({ pid: one, command: commandOf(one) }));
}

export function isAlive(pid: number): boolean {
  return parentOf(pid) !== undefined;
}

/**
 * Kills a process. Some processes exit by themselves while their parents are being killed, which is
 * no error.
 */
export function killHard(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** The parent of a process. Undefined when the process has exited or is a zombie. */
function parentOf(pid: number): number | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ');
    return fields[0] === 'Z' ? undefined : Number(fields[1]);
  } catch {
    return undefined;
  }
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}

/** Waits until `check` is true; fails with `what` after `timeoutMs`. */
export async function until(
  what: string,
  check: () => boolean | Promise<boolean>,
  timeoutMs = 120_000,
): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (!(await check())) {
    if (Date.now() > deadline) throw new Error(`It did not happen in ${timeoutMs} ms: ${what}`);
    await pause(50);
  }
}

export async function answersOk(url: string): Promise<boolean> {
  try {
    return (await fetch(url)).ok;
  } catch {
    return false;
  }
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** What the running start wrote about itself into `start.json` of the data folder. */
export function described(dataDir: string): { databaseUrl: string; pid: number } {
  const file = join(dataDir, 'start.json');
  if (!existsSync(file)) throw new Error(`${file} is missing`);
  return JSON.parse(readFileSync(file, 'utf8')) as { databaseUrl: string; pid: number };
}
