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

async function tell(name: ProcessName, verb: string): Promise<void> {
  const answer = await fetch(`${CONTROL_URL}/${name}/${verb}`, { method: 'POST' });
  if (!answer.ok) throw new Error(`${verb} ${name}: ${answer.status} ${await answer.text()}`);
}
