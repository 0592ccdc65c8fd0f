import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './processes.ts';
import { takeLock, type Lock } from './lock.ts';

const LOCK_POLL_MS = 300;
const STAMP_LENGTH = 16;

/**
 * Returns a short hash of the names and contents of `paths` (files or folders of the project). A
 * path that does not exist counts as missing.
 */
export function stampOf(
  paths: string[],
  leaveOut: (path: string) => boolean = () => false,
): string {
  const hash = createHash('sha256');
  for (const path of paths) {
    for (const file of filesBelow(path)) {
      if (leaveOut(file)) continue;
      hash.update(`${file}\0`);
      hash.update(
        createHash('sha256')
          .update(readFileSync(join(ROOT, file)))
          .digest(),
      );
    }
  }
  return hash.digest('hex').slice(0, STAMP_LENGTH);
}

function filesBelow(path: string): string[] {
  const full = join(ROOT, path);
  if (!existsSync(full)) return [];
  if (statSync(full).isFile()) return [path];
  return readdirSync(full)
    .toSorted()
    .flatMap((name) => filesBelow(`${path}/${name}`));
}

/**
 * Runs `work` when no other process of this machine runs a work of this name: two builds at once
 * would write into each other's files.
 */
export async function inTurn<T>(
  folder: string,
  name: string,
  signal: AbortSignal | undefined,
  work: () => Promise<T>,
): Promise<T> {
  let lock: Lock | undefined;
  while ((lock = takeLock(folder, name)) === undefined) {
    signal?.throwIfAborted();
    await new Promise((resolve) => setTimeout(resolve, LOCK_POLL_MS));
  }
  try {
    return await work();
  } finally {
    lock.release();
  }
}
