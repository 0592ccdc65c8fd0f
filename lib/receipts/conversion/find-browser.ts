import 'server-only';
import { accessSync, constants } from 'node:fs';
import { env } from '#lib/runtime/env.ts';

const INSTALLED = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];
const NONE = 'off';

/**
 * The Chromium that prints receipts: CHROMIUM_PATH, else the system's; null where there is none.
 */
export function findBrowser(): string | null {
  const { chromiumPath: named } = env();
  if (named === NONE) return null;
  return (named === undefined ? INSTALLED : [named]).find(isProgram) ?? null;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
