import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '../prisma/migrate.ts';
import { startPostgres } from './postgres.ts';

/**
 * Makes a folder in the system's temporary folder for `work`, and removes it however `work` ends.
 */
export async function inThrowawayFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'payments-test-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/**
 * Starts a migrated PostgreSQL for `work`. It is not durable, which no test can observe and which
 * saves time.
 */
export async function withThrowawayDatabase<T>(
  work: (databaseUrl: string) => Promise<T>,
): Promise<T> {
  return inThrowawayFolder(async (dataDir) => {
    const postgres = await startPostgres({ dataDir, durable: false });
    try {
      await migrate(postgres.url);
      return await work(postgres.url);
    } finally {
      await postgres.stop();
    }
  });
}
