import { defineConfig } from 'vitest/config';

// `server-only` throws outside Next unless this condition is set. "import" must not be named: it
// would hold for `require` too.
const conditions = ['react-server', 'node'];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    testTimeout: 20_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          setupFiles: ['sandbox/testing/record-touches.ts'],
          include: ['{app,lib,components,sandbox,scripts,sim,bench}/**/*.test.{ts,tsx}'],
          exclude: ['lib/**/*.db.test.ts', '**/node_modules/**'],
        },
      },
      {
        // On the database that TEST_DATABASE_URL names: one file after the other, so that none
        // meets another's rows.
        extends: true,
        test: {
          name: 'database',
          include: ['lib/**/*.db.test.ts', 'e2e/**/*.test.ts'],
          exclude: ['e2e/commands/**', 'e2e/crash/**'],
          fileParallelism: false,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        // On a running product whose processes it kills: one file at a time. A failed check must
        // not keep the others from being told.
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
        // Starts, kills and restarts whole stacks: slow, and one at a time.
        extends: true,
        test: {
          name: 'commands',
          include: ['e2e/commands/**/*.test.ts'],
          fileParallelism: false,
          testTimeout: 240_000,
          hookTimeout: 240_000,
        },
      },
    ],
  },
});
