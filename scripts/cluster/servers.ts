/** Starts etcd, three PostgreSQL under Patroni, HAProxy and PgBouncer, each as a process. */
import { chownSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { freePort } from '../ports.ts';
import { bareEnvironment } from '../postgres-files.ts';
import { readPid, stopOrphan } from '../postgres-keeper.ts';
import { supervise, type Supervised } from '../processes.ts';
import { secretsOf } from '../secrets.ts';
import * as config from './config.ts';
import type { Node, Passwords } from './config.ts';
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
  const { folder, programs, webs, say } = options;
  const home = join(folder.path, 'servers');
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
  const etcdPorts = { port: await freePort(), peerPort: await freePort() };
  const passwords = {
    superuser: secretsOf(folder.path).DATABASE_PASSWORD,
    replication: secretsOf(folder.path).BACKUP_KEY,
  };
  const run = runner(options);
  const started: Supervised[] = [];
  const start = (name: string, command: string, args: string[]): Supervised => {
    const one = run(name, command, args);
    started.unshift(one);
    return one;
  };
  const databases = new Map<string, Supervised>();
  const patroni = new Patroni(nodes);
  const stop = async () => {
    // All at once: a primary that ends after its standbys would wait for them.
    await Promise.all([...databases.values()].map((one) => one.stop()));
    for (const one of started) await one.stop();
    for (const { data } of nodes) await stopOrphan(data);
  };
  try {
    const etcd = start('etcd', programs.etcd, [
      ...config.etcdArguments({ ...etcdPorts, data: join(home, 'etcd') }),
    ]);
    for (const node of nodes) {
      const text = config.patroniConfig({
        node,
        etcdPort: etcdPorts.port,
        programs: programs.postgres,
        passwords,
        passFile: join(home, `${node.name}.pass`),
      });
      const file = write(folder, `${node.name}.json`, text);
      databases.set(node.name, start(node.name, programs.patroni, [file]));
    }
    const proxyFile = write(
      folder,
      'haproxy.cfg',
      config.proxyConfig({
        webPort: ports.web,
        databasePort: ports.database,
        statsPort: ports.stats,
        webs,
        nodes,
      }),
    );
    const proxy = start('proxy', programs.haproxy, ['-db', '-f', proxyFile]);
    say('database    etcd and three PostgreSQL under Patroni…');
    await etcd.ready(async () => true, READY_MS);
    await proxy.ready(async () => true, READY_MS);
    const ready = () => patroni.isWhole();
    for (const one of databases.values()) await one.ready(ready, READY_MS);
    return {
      ports,
      nodes,
      patroni,
      etcd,
      proxy,
      databases,
      passwords,
      startPooler: async (users) => {
        const usersFile = write(folder, 'pgbouncer-users.txt', config.poolerUsers(users));
        const file = write(
          folder,
          'pgbouncer.ini',
          config.poolerConfig({ port: ports.pooler, databasePort: ports.database, usersFile }),
        );
        const pooler = start('pooler', programs.pgbouncer, [file]);
        await pooler.ready(async () => true, READY_MS);
        return pooler;
      },
      killDatabase: async (name) => {
        const node = nodes.find((one) => one.name === name)!;
        const one = databases.get(name)!;
        const pids = [one.pid, readPid(join(node.data, 'postmaster.pid'))];
        for (const pid of pids) if (pid !== undefined) tryKill(pid);
        await one.stop();
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
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
