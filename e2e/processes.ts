import { CONTROL_URL } from './surroundings.ts';

type Name = 'postgres' | 'sandbox' | 'worker' | 'web' | 'web-2';

/** What a bad day does to the processes of the running product. */
export const processes = {
  stop: (name: Name) => tell(name, 'stop'),
  start: (name: Name) => tell(name, 'start'),
  /** SIGKILL; it comes back by itself. */
  kill: (name: Name) => tell(name, 'kill'),
};

async function tell(name: Name, verb: string): Promise<void> {
  const answer = await fetch(`${CONTROL_URL}/${name}/${verb}`, { method: 'POST' });
  if (!answer.ok) throw new Error(`${verb} ${name}: ${answer.status} ${await answer.text()}`);
}
