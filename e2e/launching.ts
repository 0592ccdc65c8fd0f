import type { LaunchOptions } from '@playwright/test';

const isRoot = process.getuid?.() === 0;

/** How the stories start a browser. Without a path, Playwright starts its own. */
export function launching(executablePath: string | undefined): LaunchOptions {
  return {
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
  };
}
