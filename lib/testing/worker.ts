import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/**
 * The worker as a process of its own, as in production. Observed by its log, stopped by signals.
 */
export type WorkerProcess = {
  child: ChildProcess;
  /** Everything it logged. */
  output(): string;
  /** Sends SIGTERM; resolves with the exit code when the steps in progress are finished. */
  stop(): Promise<number | null>;
  kill(): Promise<void>;
};

export function startWorker(environment: Record<string, string>): WorkerProcess {
  const child = spawn(
    process.execPath,
    ['--conditions=react-server', fileURLToPath(new URL('../worker/main.ts', import.meta.url))],
    {
      env: { ...process.env, LOG_LEVEL: 'info', ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const ended = once(child, 'exit');
  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    child.kill(signal);
    await ended;
    return child.exitCode;
  };
  return {
    child,
    output: () => output,
    stop: () => end('SIGTERM'),
    kill: async () => void (await end('SIGKILL')),
  };
}
