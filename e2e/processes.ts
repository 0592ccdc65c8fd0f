import { rows } from './database.ts';
import { CONTROL_URL } from './surroundings.ts';

export type ProcessName = 'postgres' | 'sandbox' | 'worker' | 'worker-2' | 'web' | 'web-2';
type Listed = { name: ProcessName; pid?: number; restarts: number };

/** Controls the processes of the running product. */
export const processes = {
  stop: (name: ProcessName) => tell(name, 'stop'),
  /** Starts a process after `stop`, or at once instead of after the pause that follows a crash. */
  start: (name: ProcessName) => tell(name, 'start'),
  /** Sends SIGKILL; the supervisor restarts the process. */
  kill: (name: ProcessName) => tell(name, 'kill'),
  /** Sends SIGSTOP to a process and all its children; `thaw` sends SIGCONT. */
  freeze: (name: ProcessName) => tell(name, 'freeze'),
  thaw: (name: ProcessName) => tell(name, 'thaw'),
  async list(): Promise<Listed[]> {
    return (await fetch(CONTROL_URL)).json() as Promise<Listed[]>;
  },
  async pid(name: ProcessName): Promise<number | undefined> {
    return (await processes.list()).find((one) => one.name === name)?.pid;
  },
};

/**
 * Freezes the worker. When it has a transaction open, whose locks would last as long as it is
 * frozen, the worker goes on, and this is false.
 */
export async function frozeWorkerAtRest(): Promise<boolean> {
  await processes.freeze('worker');
  const open = await rows(
    `SELECT FROM pg_stat_activity WHERE usename = 'dashboard_worker' AND xact_start IS NOT NULL`,
  );
  if (open.length > 0) await processes.thaw('worker');
  return open.length === 0;
}

async function tell(name: ProcessName, verb: string): Promise<void> {
  const answer = await fetch(`${CONTROL_URL}/${name}/${verb}`, { method: 'POST' });
  if (!answer.ok) throw new Error(`${verb} ${name}: ${answer.status} ${await answer.text()}`);
}
