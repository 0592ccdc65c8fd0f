/**
 * `npm run backup`: a sealed base backup of the running database in BACKUP_DIR, checked by restoring
 * it. With `--follow` it also keeps the write-ahead log until Ctrl-C, so that a restore can reach
 * every moment.
 */
import { createWriteStream, fsyncSync, mkdirSync, openSync, closeSync, renameSync } from 'node:fs';
import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { printError, readArgs, Refused } from '../refused.ts';
import { readSettings, type Settings } from '../settings.ts';
import { checkBackup } from './check.ts';
import { baseBackup, connectReplication } from './replication.ts';
import { seal } from './sealed.ts';
import { backupPlace, backupUrl, type BackupPlace } from './target.ts';
import { keepWal, makeSlot, syncFolder } from './wal.ts';

const MEGABYTE = 1024 * 1024;

const interrupted = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => interrupted.abort());
process.on('disconnect', () => interrupted.abort());

try {
  const { values } = readArgs({ options: { follow: { type: 'boolean', default: false } } });
  const settings = readSettings(process.env);
  const place = backupPlace(process.env, settings);
  const url = backupUrl(process.env, settings);
  const file = await makeBase(url, place, values.follow);
  const isOurs = !process.env['BACKUP_DATABASE_URL'];
  if (isOurs) await check(file, settings, place);
  else console.log('Not checked by restoring: only the embedded database can be restored here.');
  if (values.follow) {
    console.log(`Keeping the write-ahead log in ${place.walFolder}. Ctrl-C ends it.`);
    process.send?.({ ready: true });
    const { walFolder: folder, secret } = place;
    await keepWal(url, { folder, secret, signal: interrupted.signal });
  }
} catch (error) {
  printError(error);
  process.exitCode = 1;
} finally {
  process.send?.({ ended: process.exitCode ?? 0 }, () => process.disconnect?.());
}

/** The file exists under its name only when it is whole and on disk. */
async function makeBase(url: string, place: BackupPlace, follows: boolean): Promise<string> {
  const began = performance.now();
  mkdirSync(place.folder, { recursive: true, mode: 0o700 });
  const stamp = new Date().toISOString().replace(/[:.]/g, '-');
  const file = join(place.folder, `base-${stamp}.backup`);
  const draft = `${file}.new`;
  const client = await connectReplication(url);
  try {
    if (follows) await makeSlot(client);
    await pipeline(
      Readable.from(baseBackup(client, stamp)),
      createGzip({ level: 1 }),
      (packed: AsyncIterable<Buffer>) => seal(packed, place.secret),
      createWriteStream(draft, { mode: 0o600 }),
      { signal: interrupted.signal },
    );
    syncFile(draft);
    renameSync(draft, file);
    syncFolder(place.folder);
  } catch (error) {
    rmSync(draft, { force: true });
    throw interrupted.signal.aborted ? new Refused('Interrupted: no backup was made.') : error;
  } finally {
    await client.end().catch(() => {});
  }
  const seconds = ((performance.now() - began) / 1_000).toFixed(1);
  console.log(`${file}: ${(statSync(file).size / MEGABYTE).toFixed(1)} MB in ${seconds} s`);
  return file;
}

async function check(file: string, settings: Settings, place: BackupPlace): Promise<void> {
  const found = await checkBackup(file, place.secret, settings);
  console.log(
    `Checked by restoring it: ${found.movements} movements; the audit chain holds ` +
      `(${found.entries} entries).`,
  );
}

function syncFile(path: string): void {
  const file = openSync(path, 'r+');
  fsyncSync(file);
  closeSync(file);
}
