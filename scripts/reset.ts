/**
 * `npm run reset`: deletes the embedded database, the sandbox's state and the secrets that belong
 * to them.
 */
import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';
import { lockHolder, takeLock } from './lock.ts';
import { printError, Refused } from './refused.ts';
import { readSettings } from './settings.ts';

/**
 * The names that a start makes in DATA_DIR. Everything else there is not the product's, and is not
 * deleted.
 */
const OURS = ['postgres', 'sandbox', 'marks', 'sends', 'logs', 'audit', 'secrets.json'];

try {
  await reset(readSettings(process.env).dataDir);
} catch (error) {
  printError(error);
  process.exitCode = 1;
}

async function reset(dataDir: string): Promise<void> {
  const { values } = parseArgs({
    options: { yes: { type: 'boolean', short: 'y', default: false } },
  });
  const doomed = existsSync(dataDir)
    ? readdirSync(dataDir).filter((name) => OURS.includes(name))
    : [];
  if (doomed.length === 0) return console.log(`There is nothing to reset in ${dataDir}.`);
  const lock = takeLock(dataDir);
  if (lock === undefined)
    throw new Refused(
      `The dashboard is running on ${dataDir} (process ${String(lockHolder(dataDir)['pid'])}): stop it first.`,
    );
  try {
    if (!values.yes && !(await confirmed(dataDir))) throw new Refused('Nothing was changed.');
    keepFormerLog(dataDir);
    for (const name of doomed) rmSync(join(dataDir, name), { recursive: true, force: true });
    console.log('The database and the sandbox are empty; the next start makes them anew.');
  } finally {
    lock.release();
  }
}

/**
 * The next database has other keys and begins its log anew, under the same names: what was kept of
 * the former one is put aside with its backups.
 */
function keepFormerLog(dataDir: string): void {
  const log = join(dataDir, 'backups', 'wal');
  const stamp = new Date().toISOString().replace(/[:.]/g, '-');
  if (existsSync(log)) renameSync(log, `${log}.before-${stamp}`);
}

async function confirmed(dataDir: string): Promise<boolean> {
  if (!process.stdin.isTTY)
    throw new Refused('To reset without a question: npm run reset -- --yes');
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await terminal.question(
    `Delete the database and the sandbox's state in ${dataDir}? Type yes: `,
  );
  terminal.close();
  return answer.trim() === 'yes';
}
