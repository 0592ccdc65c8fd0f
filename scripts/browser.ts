import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chromium } from '@playwright/test';
import { run, runNode } from './command.ts';
import { Refused } from './refused.ts';

/** Draws no window: a story takes two thirds of the time. It shows no notifications and no PDF. */
const HEADLESS_SHELL = '/usr/bin/chromium-headless-shell';
const INSTALLED = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];
const DOWNLOAD_MS = 240_000;

/**
 * Returns a Chromium that starts: the one of CHROMIUM_PATH, of the system, or of Playwright. If
 * there is none, installs one by Playwright or, where its download is blocked, by Debian's package
 * manager (which needs root).
 *
 * @throws Refused naming what a person can do
 */
export async function findChromium(
  signal: AbortSignal,
  say: (line: string) => void,
): Promise<string> {
  const named = process.env['CHROMIUM_PATH'];
  if (named !== undefined && named !== '') {
    if (starts(named)) return named;
    throw new Refused(`CHROMIUM_PATH is ${named}, which does not start.`);
  }
  const found = [...INSTALLED, chromium.executablePath()].find(starts);
  if (found !== undefined) return found;
  say('no Chromium here: installing one');
  const patience = AbortSignal.any([signal, AbortSignal.timeout(DOWNLOAD_MS)]);
  await runNode(['node_modules/@playwright/test/cli.js', 'install', 'chromium'], {
    signal: patience,
  }).catch(() => undefined);
  if (starts(chromium.executablePath())) return chromium.executablePath();
  signal.throwIfAborted();
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    await run('apt-get', ['update', '-q'], { env, signal });
    await run('apt-get', ['install', '-y', '-q', '--no-install-recommends', 'chromium'], {
      env,
      signal,
    });
  }
  const installed = INSTALLED.find(starts);
  if (installed === undefined)
    throw new Refused(
      'There is no Chromium for the browser tests and none could be installed: install one ' +
        '(Debian: apt-get install chromium) or name one in CHROMIUM_PATH.',
    );
  return installed;
}

/** Chromium's headless shell, where the system has one. */
export function findHeadlessShell(): string | undefined {
  return starts(HEADLESS_SHELL) ? HEADLESS_SHELL : undefined;
}

function starts(path: string): boolean {
  return existsSync(path) && spawnSync(path, ['--version'], { stdio: 'ignore' }).status === 0;
}
