import { spawn } from 'node:child_process';
import { ROOT, type Environment } from './processes.ts';

const KEPT_OUTPUT = 1_000_000;

export type CommandOptions = {
  env?: Environment;
  /** Aborting ends the command and everything that it started. */
  signal?: AbortSignal | undefined;
  /** Also show its output as it comes. */
  show?: boolean;
  cwd?: string;
  /** Keep all of the output and not only its end: a report to be parsed. */
  keepAll?: boolean;
};
export type CommandResult = { code: number; output: string };

/**
 * Runs a Node program with the pinned Node to its end and keeps what it printed (the last
 * megabyte). Never throws for its exit code.
 */
export function runNode(args: string[], options: CommandOptions = {}): Promise<CommandResult> {
  return run(process.execPath, args, options);
}

export function run(
  command: string,
  args: string[],
  options: CommandOptions = {},
): Promise<CommandResult> {
  return new Promise((resolve, reject) => {
    if (options.signal?.aborted) return reject(options.signal.reason);
    // A group of its own: a Ctrl-C is ours to pass on, and ending it must end its own children too.
    const child = spawn(command, args, {
      cwd: options.cwd ?? ROOT,
      env: (options.env ?? process.env) as NodeJS.ProcessEnv,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    let output = '';
    const keep = (chunk: Buffer) => {
      if (options.show === true) process.stdout.write(chunk);
      output += chunk.toString();
      if (options.keepAll !== true) output = output.slice(-KEPT_OUTPUT);
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    const abort = () => killGroup(child.pid);
    options.signal?.addEventListener('abort', abort, { once: true });
    process.once('exit', abort);
    child.once('error', reject);
    child.once('close', (code) => {
      options.signal?.removeEventListener('abort', abort);
      process.off('exit', abort);
      if (options.signal?.aborted) reject(options.signal.reason);
      else resolve({ code: code ?? 1, output });
    });
  });
}

function killGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGTERM');
  } catch {
    // It has ended already.
  }
}
