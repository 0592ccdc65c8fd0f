import { defineConfig } from '@playwright/test';
import { launching } from './launching.ts';

// `npm test` (or `npm test -- --only browser`) uses this file: it starts the product and passes the
// product's address (README.md beside this file).
export default defineConfig({
  testDir: '.',
  testMatch: '**/*.spec.ts',
  outputDir: '../test-results',
  // Each worker has a product of its own: the tests of a worker share its clock, bank and limits.
  workers: process.env['PRODUCTS'] === undefined ? 1 : JSON.parse(process.env['PRODUCTS']).length,
  fullyParallel: false,
  // Nothing is tried twice: docs/decisions/0059-try-every-story-once.md.
  retries: 0,
  forbidOnly: true,
  // Upper limits for a busy machine: a green story waits for none of them.
  timeout: 150_000,
  expect: { timeout: 20_000 },
  reporter: [['list'], ['json']],
  use: {
    browserName: 'chromium',
    locale: 'tr-TR',
    timezoneId: 'Europe/Istanbul',
    // With a service worker, the routes of a test would not see requests; offline.spec.ts allows
    // it.
    serviceWorkers: 'block',
    // Recording takes a quarter of a story's time; `--trace on` records.
    trace: 'off',
    screenshot: 'only-on-failure',
    launchOptions: launching(process.env['HEADLESS_SHELL_PATH'] ?? process.env['CHROMIUM_PATH']),
  },
});
