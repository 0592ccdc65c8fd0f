import type { Status } from '../../scripts/cluster/control.ts';
import { CONTROL_URL } from '../surroundings.ts';

/** The cluster under test, as the command that started it lets others look at it and harm it. */
export const cluster = {
  status: async (): Promise<Status> => (await fetch(CONTROL_URL)).json() as Promise<Status>,
  /** Kills one of that kind and starts it again. Returns its name. */
  kill: (victim: string) => tell(`kill/${victim}`),
  /** Kills a PostgreSQL server, which stays away until `resume`. */
  hold: (server: string) => tell(`hold/${server}`),
  resume: (server: string) => tell(`resume/${server}`),
  /** Makes a standby anew from the primary. */
  renew: (server: string) => tell(`renew/${server}`),
  /** The rule that only a synchronous standby is promoted. */
  synchronous: (rule: 'on' | 'off') => tell(`synchronous/${rule}`),
  async server(role: 'leader' | 'sync_standby' | 'replica'): Promise<string | undefined> {
    return (await cluster.status()).members.find((one) => one.role === role)?.name;
  },
  /** Whether every process runs, and a primary has a synchronous and an asynchronous standby. */
  async isWhole(): Promise<boolean> {
    const { members, processes } = await cluster.status();
    const roles = members
      .filter(({ state }) => state === 'running' || state === 'streaming')
      .map(({ role }) => role)
      .toSorted();
    const one = new Set(members.map(({ timeline }) => timeline)).size === 1;
    const isRunning = processes.every(({ pid }) => pid !== undefined);
    return isRunning && one && roles.join() === 'leader,replica,sync_standby';
  },
};

async function tell(path: string): Promise<string> {
  const answer = await fetch(`${CONTROL_URL}/${path}`, { method: 'POST' });
  const { name, error } = (await answer.json()) as { name?: string; error?: string };
  if (name === undefined) throw new Error(`${path}: ${answer.status} ${error ?? ''}`);
  return name;
}
