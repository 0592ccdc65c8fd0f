import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The connections of a process to a local port, from the kernel's tables (only Linux has them;
 * elsewhere the result is empty). Our requests to providers use no keep-alive, so that an open
 * connection is a request that waits for its response.
 */
export function connectionsTo(pid: number, port: number): Set<string> {
  const folder = `/proc/${pid}/fd`;
  if (!existsSync(folder)) return new Set();
  const own = new Set(readdirSync(folder).map((name) => inodeOf(join(folder, name))));
  const remote = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const lines = readFileSync(`/proc/${pid}/net/tcp`, 'utf8')
    .split('\n')
    .slice(1)
    .map((line) => line.trim().split(/\s+/));
  const open = lines.filter(
    ([, , to = '', state, , , , , , inode = '']) =>
      to.endsWith(remote) && state === ESTABLISHED && own.has(inode),
  );
  return new Set(open.map(([, , , , , , , , , inode]) => inode!));
}

const ESTABLISHED = '01';

/** The inode of a descriptor, which may be closed between two reads. */
function inodeOf(path: string): string {
  try {
    return /^socket:\[(\d+)\]$/.exec(readlinkSync(path))?.[1] ?? '';
  } catch {
    return '';
  }
}
