/** Starts etcd, three PostgreSQL under Patroni, HAProxy and PgBouncer, each as a process. */
import { chownSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { freePort } from '../ports.ts';
import { bareEnvironment } from '../postgres-files.ts';
import { readPid, stopOrphan } from '../postgres-keeper.ts';
import { supervise, type Supervised } from '../processes.ts';
import { secretsOf } from '../secrets.ts';
import * as config from './config.ts';
import type { EtcdOptions, Node, Passwords } from './config.ts';
import type { Folder } from './folder.ts';
import { Patroni } from './patroni.ts';
import type { Programs } from './programs.ts';

const NODES = ['db1', 'db2', 'db3'] as const;
const READY_MS = 180_000;
const STOP_MS = 10_000;
const PRIVATE = 0o600;

export type Ports = { web: number; database: number; stats: number; pooler: number };
export type Servers = {
  ports: Ports;
  nodes: readonly Node[];
  patroni: Patroni;
  etcd: Supervised;
  proxy: Supervised;
  databases: ReadonlyMap<string, Supervised>;
  passwords: Passwords;
  startPooler(users: readonly { name: string; password: string }[]): Promise<Supervised>;
  /** Ends a PostgreSQL server and its Patroni by SIGKILL; they stay down until `start` of it. */
  killDatabase(name: string): Promise<void>;
  stop(): Promise<void>;
};
export type ServersOptions = {
  folder: Folder;
  programs: Programs;
  webs: readonly { name: string; port: number }[];
  say: (line: string) => void;
};

/** Starts everything but PgBouncer and waits until PostgreSQL has its primary and both standbys. */
export async function startServers(options: ServersOptions): Promise<Servers> {
  const plan = await makePlan(options.folder);
  const run = runner(options);
  const started: Supervised[] = [];
  const start: Start = (name, command, args) => {
    const one = run(name, command, args);
    started.unshift(one);
    return one;
  };
  const databases = new Map<string, Supervised>();
  const stop = async () => {
    // All at once: a primary that ends after its standbys would wait for them.
    await Promise.all([...databases.values()].map((one) => one.stop()));
    for (const one of started) await one.stop();
    for (const { data } of plan.nodes) await stopOrphan(data);
  };
  try {
    const etcd = start('etcd', options.programs.etcd, config.etcdArguments(plan.etcd));
    for (const node of plan.nodes)
      databases.set(node.name, startPatroni(options, plan, node, start));
    const proxy = startProxy(options, plan, start);
    options.say('database    etcd and three PostgreSQL under Patroni…');
    for (const one of [etcd, proxy]) await one.ready(async () => true, READY_MS);
    const patroni = new Patroni(plan.nodes);
    for (const one of databases.values()) await one.ready(() => patroni.isWhole(), READY_MS);
    return {
      ...plan,
      patroni,
      etcd,
      proxy,
      databases,
      startPooler: (users) => startPooler(options, plan, users, start),
      killDatabase: async (name) => {
        const { data } = plan.nodes.find((node) => node.name === name)!;
        const one = databases.get(name)!;
        for (const pid of [one.pid, readPid(join(data, 'postmaster.pid'))])
          if (pid !== undefined) tryKill(pid);
        await one.stop();
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

type Start = (name: string, command: string, args: string[]) => Supervised;
type Plan = { ports: Ports; nodes: readonly Node[]; etcd: EtcdOptions; passwords: Passwords };

/** Chooses the ports, folders and passwords of all servers. */
async function makePlan({ path }: Folder): Promise<Plan> {
  const home = join(path, 'servers');
  const ports: Ports = {
    web: await freePort(),
    database: await freePort(),
    stats: await freePort(),
    pooler: await freePort(),
  };
  const nodes: Node[] = [];
  for (const name of NODES) {
    const [port, restPort] = [await freePort(), await freePort()];
    nodes.push({ name, port, restPort, data: join(home, name) });
  }
  const secrets = secretsOf(path);
  return {
    ports,
    nodes,
    etcd: { port: await freePort(), peerPort: await freePort(), data: join(home, 'etcd') },
    passwords: { superuser: secrets.DATABASE_PASSWORD, replication: secrets.BACKUP_KEY },
  };
}

function startPatroni(
  { folder, programs }: ServersOptions,
  { etcd, passwords }: Plan,
  node: Node,
  start: Start,
): Supervised {
  const text = config.patroniConfig({
    node,
    etcdPort: etcd.port,
    programs: programs.postgres,
    passwords,
    passFile: `${node.data}.pass`,
  });
  return start(node.name, programs.patroni, [write(folder, `${node.name}.json`, text)]);
}

function startProxy(
  { folder, programs, webs }: ServersOptions,
  { ports, nodes }: Plan,
  start: Start,
): Supervised {
  const text = config.proxyConfig({
    webPort: ports.web,
    databasePort: ports.database,
    statsPort: ports.stats,
    webs,
    nodes,
  });
  return start('proxy', programs.haproxy, ['-db', '-f', write(folder, 'haproxy.cfg', text)]);
}

async function startPooler(
  { folder, programs }: ServersOptions,
  { ports }: Plan,
  users: readonly { name: string; password: string }[],
  start: Start,
): Promise<Supervised> {
  const usersFile = write(folder, 'pgbouncer-users.txt', config.poolerUsers(users));
  const text = config.poolerConfig({
    port: ports.pooler,
    databasePort: ports.database,
    usersFile,
  });
  const pooler = start('pooler', programs.pgbouncer, [write(folder, 'pgbouncer.ini', text)]);
  await pooler.ready(async () => true, READY_MS);
  return pooler;
}

/** Starts a program as the servers' user. It ends with this process, even after a SIGKILL. */
function runner({ folder, programs, say }: ServersOptions) {
  const { account } = folder;
  const as =
    account === undefined
      ? []
      : [`--reuid=${account.uid}`, `--regid=${account.gid}`, '--clear-groups'];
  return (name: string, command: string, args: string[]): Supervised =>
    supervise(
      {
        name,
        command: programs.setpriv,
        args: [...as, '--pdeathsig=TERM', command, ...args],
        cwd: join(folder.path, 'servers'),
        env: bareEnvironment(),
        logFile: join(folder.path, 'logs', `${name}.log`),
        stopMs: STOP_MS,
      },
      say,
    );
}

function write({ path, account }: Folder, name: string, text: string): string {
  const file = join(path, 'servers', name);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(file, text, { mode: PRIVATE });
  if (account !== undefined && existsSync(file)) chownSync(file, account.uid, account.gid);
  return file;
}

function tryKill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended already.
  }
}
