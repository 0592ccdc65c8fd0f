import { defineConfig } from '@playwright/test';

const isRoot = process.getuid?.() === 0;
const executablePath = process.env['CHROMIUM_PATH'];

// Started by `npm test` (or `npm test -- --only browser`), which starts the product and passes its
// address: see README.md beside this file.
export default defineConfig({
  testDir: '.',
  testMatch: '**/*.spec.ts',
  outputDir: '../test-results',
  // One browser on one product: tests share its clock, its bank and its limits.
  workers: 1,
  fullyParallel: false,
  // docs/decisions/0018-try-a-failed-story-twice-in-ci.md: in CI, where a person cannot look and
  // start again, a failed test gets one retry; its name is reported, and a double payment is never
  // forgiven.
  retries: process.env['CI'] === undefined ? 0 : 1,
  forbidOnly: true,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: [['list'], ['json']],
  use: {
    ...(process.env['BASE_URL'] === undefined ? {} : { baseURL: process.env['BASE_URL'] }),
    browserName: 'chromium',
    locale: 'tr-TR',
    timezoneId: 'Europe/Istanbul',
    // Behind a service worker, routes of a test would not see requests; offline.spec.ts allows it.
    serviceWorkers: 'block',
    trace: 'retain-on-failure',
    screenshot: 'only-on-failure',
    launchOptions: {
      ...(executablePath === undefined ? {} : { executablePath }),
      // Without a UTF-8 locale Chromium cannot save file names with non-ASCII letters.
      env: { ...(process.env as Record<string, string>), LC_ALL: 'C.UTF-8' },
      args: [
        '--disable-gpu',
        '--disable-quic',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        ...(isRoot ? ['--no-sandbox'] : []),
      ],
    },
  },
});
