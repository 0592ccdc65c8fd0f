import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/**
 * Who comes at the same moment may stand in the way for an instant, before one of the two steps
 * back: both would be refused.
 */
const RIVAL_MS = 100;

export type Lock = { describe(holder: Record<string, unknown>): void; release(): void };

/**
 * Takes the one lock of a folder, or returns undefined when another process holds it. The lock is
 * the operating system's own file lock (through SQLite, the only access to it that Node has), so
 * that it ends with the process however it ends: there is no stale lock to recognise, and of two
 * starts at the same moment exactly one wins.
 */
export function takeLock(folder: string, name = 'start'): Lock | undefined {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const holderFile = join(folder, `${name}.json`);
  const lockFile = join(folder, `${name}.lock`);
  const database = new DatabaseSync(lockFile, { timeout: RIVAL_MS });
  chmodSync(lockFile, 0o600);
  try {
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if (error instanceof Error && /locked|busy/i.test(error.message)) return undefined;
    throw error;
  }
  return {
    describe: (holder) =>
      writeFileSync(holderFile, `${JSON.stringify(holder, null, 2)}\n`, { mode: 0o600 }),
    release() {
      rmSync(holderFile, { force: true });
      database.close();
    },
  };
}

/** What the lock's owner wrote about itself; empty when it has not written anything yet. */
export function lockHolder(folder: string, name = 'start'): Record<string, unknown> {
  try {
    return JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) as Record<
      string,
      unknown
    >;
  } catch {
    return {};
  }
}
