/**
 * The whole product on several processes of each kind, as it runs on several machines: the servers
 * of servers.ts, and webs, workers and the sandbox in front of them.
 */
import { join } from 'node:path';
import { migrate } from '../../prisma/migrate.ts';
import { openLogins, type Logins } from '../logins.ts';
import { freePort } from '../ports.ts';
import { DATABASE, makeOwner, OWNER } from '../postgres.ts';
import type { Supervised } from '../processes.ts';
import { Refused } from '../refused.ts';
import { startStack, type Stack } from '../stack.ts';
import { SUPERUSER } from './config.ts';
import type { Folder } from './folder.ts';
import type { Programs } from './programs.ts';
import { startServers, type Servers } from './servers.ts';

const WEBS = 3;
const WORKERS = 3;
const HOST = '127.0.0.1';
const OWNER_TRIES = 50;
const OWNER_PAUSE_MS = 200;

export type ClusterOptions = {
  folder: Folder;
  programs: Programs;
  /** Whether webs and workers reach the database through PgBouncer. */
  pooler: boolean;
  /** Variables of webs and workers. */
  env?: Record<string, string>;
  signal: AbortSignal;
  say: (line: string) => void;
};
export type Cluster = {
  origin: string;
  sandboxUrl: string;
  statsUrl: string;
  /** The address for the owner of the database, at the primary. */
  ownerUrl: string;
  dataDir: string;
  servers: Servers;
  webs: readonly Supervised[];
  workers: readonly Supervised[];
  pooler: Supervised | undefined;
  stop(): Promise<void>;
};

export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const { folder, programs, say, signal } = options;
  const ports: number[] = [];
  while (ports.length < WEBS) ports.push(await freePort());
  const webs = ports.map((port, nth) => ({ name: `web${nth + 1}`, port }));
  const servers = await startServers({ folder, programs, webs, say });
  let stack: Stack | undefined;
  const stop = async () => {
    await stack?.stop();
    await servers.stop();
  };
  try {
    signal.throwIfAborted();
    const { ownerUrl, logins, pooler } = await openDatabase(servers, options.pooler);
    const origin = `http://${HOST}:${servers.ports.web}`;
    const dataDir = join(folder.path, 'data');
    stack = await startStack({
      host: HOST,
      port: ports[0]!,
      sandboxPort: await freePort(),
      sandbox: true,
      dataDir,
      databaseUrl: ownerUrl,
      logins,
      webs: WEBS,
      workers: WORKERS,
      proxy: { origin, ports },
      env: options.env ?? {},
      signal,
      say,
    });
    if (stack.notReady !== undefined)
      throw new Refused(`The product did not become ready: ${stack.notReady}`);
    return {
      origin,
      sandboxUrl: stack.sandboxUrl!,
      statsUrl: `http://${HOST}:${servers.ports.stats}`,
      ownerUrl,
      dataDir,
      servers,
      webs: stack.webs,
      workers: stack.workers,
      pooler,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Makes the database and its roles through the proxy, and PgBouncer where it is asked for. */
async function openDatabase(
  servers: Servers,
  isPooled: boolean,
): Promise<{ ownerUrl: string; logins: Logins; pooler: Supervised | undefined }> {
  const { superuser } = servers.passwords;
  const address = (user: string, database: string) =>
    `postgresql://${user}:${superuser}@${HOST}:${servers.ports.database}/${database}`;
  for (let tries = 1; !(await makeOwner(address(SUPERUSER, 'postgres'), superuser)); tries += 1) {
    if (tries >= OWNER_TRIES) throw new Refused('The primary cannot be reached by the proxy.');
    await new Promise((resolve) => setTimeout(resolve, OWNER_PAUSE_MS));
  }
  const ownerUrl = address(OWNER, DATABASE);
  await migrate(ownerUrl);
  const direct = await openLogins(ownerUrl);
  if (!isPooled) return { ownerUrl, logins: direct, pooler: undefined };
  const sides = [direct.web, direct.worker].map(({ DATABASE_URL }) => new URL(DATABASE_URL));
  const pooler = await servers.startPooler(
    sides.map(({ username, password }) => ({ name: username, password })),
  );
  const pooled = ({ DATABASE_URL }: { DATABASE_URL: string }) => {
    const through = new URL(DATABASE_URL);
    through.port = String(servers.ports.pooler);
    return { DATABASE_URL: through.href, DATABASE_DIRECT_URL: DATABASE_URL };
  };
  return { ownerUrl, logins: { web: pooled(direct.web), worker: pooled(direct.worker) }, pooler };
}
