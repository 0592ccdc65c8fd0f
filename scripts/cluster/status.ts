import type { Status } from './control.ts';

/** One line about the cluster: who is the primary, who follows how far, what is away. Pure. */
export function statusLine({ members, processes }: Status): string {
  const servers = members.map(({ name, role, state, timeline, lag }) => {
    const place = role === 'leader' ? `primary, timeline ${timeline ?? '?'}` : placeOf(role, lag);
    return `${name} ${state === 'running' || state === 'streaming' ? place : state}`;
  });
  const away = processes.filter(({ pid }) => pid === undefined).map(({ name }) => name);
  const restarts = processes.reduce((sum, one) => sum + one.restarts, 0);
  return [
    servers.length === 0 ? 'no PostgreSQL answers' : servers.join(' · '),
    away.length === 0 ? `all ${processes.length} processes run` : `away: ${away.join(', ')}`,
    `${restarts} restarts`,
  ].join(' | ');
}

function placeOf(role: string, lag: number | string | undefined): string {
  const kind = role === 'sync_standby' ? 'synchronous' : 'asynchronous';
  return lag === 0 ? kind : `${kind}, ${lag ?? '?'} bytes behind`;
}
