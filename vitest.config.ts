import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

// `server-only` throws outside Next unless this condition is set. "import" must not be named: it
// would hold for `require` too.
const conditions = ['react-server', 'node'];
const FAR_FROM_MIDNIGHT = 'lib/testing/far-from-midnight.ts';
const EMPTY = join(import.meta.dirname, 'node_modules/server-only/empty.js');

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    testTimeout: 20_000,
    // Beginning a sandbox or a database takes a busy machine longer than Vitest's own ten seconds.
    hookTimeout: 60_000,
    // By itself Vitest polls for a second, which a busy machine may take for one query.
    expect: { poll: { timeout: 15_000 } },
    // Vitest orders files by the times of earlier runs, and without them by size. The crash storm
    // counts every row of its database, so it has to be first, as it is by size.
    cache: false,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          pool: 'threads',
          // Vitest keeps a processor for its main process, which mostly waits.
          maxWorkers: availableParallelism(),
          setupFiles: ['sandbox/testing/record-touches.ts', FAR_FROM_MIDNIGHT],
          include: ['{app,lib,components,sandbox,scripts,sim,bench}/**/*.test.{ts,tsx}'],
          exclude: ['lib/**/*.db.test.ts', '**/node_modules/**'],
        },
      },
      {
        // Runs on the database in TEST_DATABASE_URL, one file after the other, so that no test file
        // meets the rows of another.
        extends: true,
        test: {
          name: 'database',
          setupFiles: [FAR_FROM_MIDNIGHT],
          include: ['{lib,demo}/**/*.db.test.ts', 'e2e/**/*.test.ts'],
          exclude: ['e2e/commands/**', 'e2e/crash/**', 'e2e/upgrade/**'],
          fileParallelism: false,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        // Renders client components from rows of the database. This needs the complete React, which
        // the condition `react-server` replaces.
        extends: false,
        resolve: { conditions: ['node'], alias: { 'server-only': EMPTY } },
        ssr: { resolve: { conditions: ['node'] } },
        test: {
          name: 'database-drawn',
          setupFiles: [FAR_FROM_MIDNIGHT],
          include: ['e2e/**/*.test.tsx'],
          fileParallelism: false,
          sequence: { groupOrder: 1 },
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        // Runs on a live product whose processes the tests kill, so one file at a time. The storm
        // runs in a hook, so that one failed check does not keep the others from being reported.
        extends: true,
        test: {
          name: 'crash',
          include: ['e2e/crash/**/*.test.ts'],
          fileParallelism: false,
          testTimeout: 10 * 60_000,
          hookTimeout: 50 * 60_000,
          // Vite has a variable of this name too, and would put its own value there.
          env: { BASE_URL: process.env['BASE_URL'] ?? '' },
        },
      },
      {
        // Two versions of the product side by side (scripts/upgrade/): all of it runs in a hook.
        extends: true,
        test: {
          name: 'upgrade',
          include: ['e2e/upgrade/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 30 * 60_000,
          // Vite has a variable of this name too, and would put its own value there.
          env: { BASE_URL: process.env['BASE_URL'] ?? '' },
        },
      },
      {
        // Starts, kills and restarts whole stacks: slow, and one at a time.
        extends: true,
        test: {
          name: 'commands',
          setupFiles: [FAR_FROM_MIDNIGHT],
          include: ['e2e/commands/**/*.test.ts'],
          fileParallelism: false,
          testTimeout: 240_000,
          hookTimeout: 240_000,
        },
      },
    ],
  },
});
