import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '../prisma/migrate.ts';
import { startPostgres } from './postgres.ts';

/** A folder of the system's temporary ones that is removed after `work`, however it ends. */
export async function inThrowawayFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'payments-test-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/**
 * A migrated PostgreSQL of its own for `work`; it gives up durability, which no test can observe.
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
