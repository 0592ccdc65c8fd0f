import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Files of folders that processes write to at the same time. A file or folder that is removed
 * meanwhile counts as empty.
 */

export function filesBelow(folder: string): string[] {
  const entries = unlessGone(() => readdirSync(folder, { withFileTypes: true })) ?? [];
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesBelow(path) : entry.isFile() ? [path] : [];
  });
}

export function bytesOf(path: string): string {
  return unlessGone(() => readFileSync(path, 'latin1')) ?? '';
}

function unlessGone<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
