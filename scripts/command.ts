import { spawn } from 'node:child_process';
import { ROOT, type Environment } from './processes.ts';
import { Refused } from './refused.ts';

const KEPT_OUTPUT = 1_000_000;
/** Characters of an interrupted command's output that are reported. */
const SHOWN_OUTPUT = 6_000;

export type CommandOptions = {
  env?: Environment;
  /** Aborting this signal ends the command and everything that it started. */
  signal?: AbortSignal | undefined;
  /** Also shows the command's output as it is written. */
  show?: boolean;
  cwd?: string;
  /** Keeps all of the output and not only its end, for a report that is parsed. */
  keepAll?: boolean;
};
export type CommandResult = { code: number; output: string };

/**
 * Runs a Node program with the pinned Node to its end and returns what it printed (the last
 * megabyte, unless `keepAll`). Does not throw for an exit code.
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
    // The command is in a process group of its own: this process passes a Ctrl-C on, and ending the
    // group ends the command's children too.
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
      if (options.signal?.aborted) reject(interrupted(options.signal, output));
      else resolve({ code: code ?? 1, output });
    });
  });
}

/** The reason of an interruption, with the end of what the command had printed. */
function interrupted({ reason }: AbortSignal, output: string): unknown {
  if (!(reason instanceof Error) || reason instanceof Refused) return reason;
  const message = `${reason.message}; the command had printed:\n${output.slice(-SHOWN_OUTPUT)}`;
  return new Error(message, { cause: reason });
}

function killGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGTERM');
  } catch {
    // The command has ended already.
  }
}
