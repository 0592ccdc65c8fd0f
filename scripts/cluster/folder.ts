/** The folder of the cluster, and the user that runs its servers. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, chownSync, lstatSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ownerOf, type Account } from '../postgres-files.ts';
import { ROOT } from '../processes.ts';
import { Refused } from '../refused.ts';

/** Where the folder is when the clone is in a place that only root can enter. */
const SHARED_PLACE = '/var/tmp';
const TAG_LENGTH = 12;

/** `account`: the user that runs the servers; undefined means the user of this process. */
export type Folder = { path: string; account: Account | undefined };

/**
 * Makes the folder `.cluster` in the clone. When root starts the cluster, its servers run as the
 * user of the embedded PostgreSQL, who has to be able to enter the folder.
 */
export function clusterFolder(): Folder {
  const tag = createHash('sha256').update(ROOT).digest('hex').slice(0, TAG_LENGTH);
  const places = [join(ROOT, '.cluster'), join(SHARED_PLACE, `payments-cluster-${tag}`)];
  for (const path of places) {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    if (process.getuid?.() !== 0) return { path, account: undefined };
    const servers = join(path, 'servers');
    mkdirSync(servers, { recursive: true, mode: 0o700 });
    assertOwn(path, servers);
    const account = ownerOf(servers);
    chownSync(servers, account.uid, account.gid);
    // Others may pass through it and cannot list it.
    chmodSync(path, 0o711);
    if (canEnter(account, servers)) return { path, account };
  }
  throw new Refused(`No folder that the servers' user can enter: tried ${places.join(', ')}.`);
}

/** In a place where everybody may write, a folder of that name may be another user's, or a link. */
function assertOwn(path: string, servers: string): void {
  const [own, inner] = [lstatSync(path), lstatSync(servers)];
  if (!own.isDirectory() || own.uid !== 0 || !inner.isDirectory())
    throw new Refused(`${path} is not a folder of root's: remove it.`);
}

function canEnter(account: Account, path: string): boolean {
  return spawnSync('test', ['-w', path], { cwd: '/', ...account }).status === 0;
}

/** Removes everything that a cluster left; the folder of the servers stays with their user. */
export function emptyFolder({ path }: Folder): void {
  const servers = join(path, 'servers');
  const left = readdirSync(servers).map((name) => join(servers, name));
  const ours = ['data', 'logs', 'secrets.json'].map((name) => join(path, name));
  for (const one of [...left, ...ours]) rmSync(one, { recursive: true, force: true });
}
