/**
 * Runs the tests on a database, half of the files each on a PostgreSQL of its own: one test file
 * runs at a time, which leaves half of two cores idle.
 */
import { withThrowawayDatabase } from '../throwaway.ts';
import { together, type Outcome } from './outcome.ts';
import { runVitest, type SuiteOptions } from './suites.ts';

const SHARDS = 2;

export async function runDatabase(options: SuiteOptions): Promise<Outcome> {
  const run = (args: string[]): Promise<Outcome> =>
    withThrowawayDatabase((url) =>
      runVitest('database*', { ...options, args, env: { TEST_DATABASE_URL: url } }),
    );
  // When a developer names files or titles, one database is enough.
  if (options.args !== undefined && options.args.length > 0) return run(options.args);
  return together(
    await Promise.all(
      Array.from({ length: SHARDS }, (_, nth) => run([`--shard=${nth + 1}/${SHARDS}`])),
    ),
  );
}
