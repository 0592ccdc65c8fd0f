import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/**
 * How long to wait for the lock. Two starts at the same moment may block each other for an instant;
 * without this wait both could be refused.
 */
const RIVAL_MS = 100;

export type Lock = { describe(holder: Record<string, unknown>): void; release(): void };

/**
 * Takes the lock of a folder, or returns undefined when another process holds it. The lock is a
 * file lock of the operating system (through SQLite, which is Node's only access to one), so it
 * ends with the process in every case: there is no stale lock to recognise, and of two starts at
 * the same moment exactly one gets the lock.
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

/** Returns what the lock's owner wrote about itself; empty when it has written nothing yet. */
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
