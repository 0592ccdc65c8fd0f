/**
 * Lets another process look at the cluster and make its parts fail: `npm run cluster -- --kill`,
 * and the drill. Listens on 127.0.0.1. `GET /` lists the servers and the processes. `POST
 * /kill/<primary|web|worker|proxy>` kills one and starts it again; `POST /hold/<db>` kills a
 * PostgreSQL server that stays away until `POST /resume/<db>`; `POST /renew/<db>` copies it anew;
 * `POST /synchronous/<on|off>` is the rule that only a synchronous standby is promoted.
 */
import { createServer } from 'node:http';
import type { Supervised } from '../processes.ts';
import { VICTIMS, type Victim } from './arguments.ts';
import type { Cluster } from './cluster.ts';
import type { Member } from './patroni.ts';

export type Control = { url: string; close(): void };
/** What `GET /` answers. */
export type Status = {
  members: Member[];
  processes: { name: string; pid: number | undefined; restarts: number }[];
};

/** How long a killed primary stays away at most, while another server takes its place. */
const TAKEN_OVER_MS = 60_000;
const LOOK_MS = 200;
const ENDED_LOOK_MS = 10;

export async function startControl(cluster: Cluster): Promise<Control> {
  let turn = 0;
  const next = (some: readonly Supervised[]): Supervised => some[(turn += 1) % some.length]!;
  const { databases } = cluster.servers;
  const kill = async (victim: Victim): Promise<string> => {
    if (victim === 'primary') return killPrimary(cluster);
    const one = victim === 'proxy' ? cluster.servers.proxy : next(cluster[`${victim}s`]);
    await killOne(one);
    return one.name;
  };
  const verbs: Record<string, (name: string) => Promise<string | undefined>> = {
    kill: async (name) => (isVictim(name) ? kill(name) : undefined),
    hold: async (name) => {
      if (!databases.has(name)) return undefined;
      await cluster.servers.killDatabase(name);
      return name;
    },
    resume: async (name) => {
      databases.get(name)?.start();
      return databases.has(name) ? name : undefined;
    },
    renew: async (name) => {
      if (!databases.has(name)) return undefined;
      await cluster.servers.patroni.renew(name);
      return name;
    },
    synchronous: async (name) => {
      await cluster.servers.patroni.setSynchronous(name === 'on');
      return name;
    },
  };
  const server = createServer(async (request, response) => {
    const [verb = '', name = ''] = (request.url ?? '').slice(1).split('/');
    const answer = (status: number, body: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    try {
      if (request.method === 'GET' && verb === '') return answer(200, await statusOf(cluster));
      const done = request.method === 'POST' ? await verbs[verb]?.(name) : undefined;
      return done === undefined ? answer(404, { error: 'unknown' }) : answer(200, { name: done });
    } catch (error) {
      return answer(409, { error: String(error) });
    }
  });
  server.maxRequestsPerSocket = 1;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('no address');
  return { url: `http://127.0.0.1:${address.port}`, close: () => server.close() };
}

async function killOne(one: Supervised): Promise<void> {
  const { pid } = one;
  if (pid === undefined) throw new Error(`${one.name} is away at this moment`);
  process.kill(pid, 'SIGKILL');
  while (one.pid === pid) await new Promise((resolve) => setTimeout(resolve, ENDED_LOOK_MS));
}

/** Kills the primary and keeps it away until another server has taken its place. */
async function killPrimary({ servers }: Cluster): Promise<string> {
  const primary = await servers.patroni.leader();
  if (primary === undefined) throw new Error('there is no primary at this moment');
  await servers.killDatabase(primary);
  const deadline = Date.now() + TAKEN_OVER_MS;
  let next: string | undefined = primary;
  while ((next === undefined || next === primary) && Date.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    next = await servers.patroni.leader().catch(() => undefined);
  }
  servers.databases.get(primary)!.start();
  return primary;
}

export async function statusOf(cluster: Cluster): Promise<Status> {
  const { servers, webs, workers, pooler } = cluster;
  const processes = [servers.etcd, servers.proxy, ...servers.databases.values(), ...webs];
  const all = [...processes, ...workers, ...(pooler === undefined ? [] : [pooler])];
  return {
    members: await servers.patroni.members().catch(() => []),
    processes: all.map(({ name, pid, restarts }) => ({ name, pid, restarts })),
  };
}

function isVictim(name: string): name is Victim {
  return VICTIMS.some((one) => one === name);
}
