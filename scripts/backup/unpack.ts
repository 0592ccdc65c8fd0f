/** Makes a data folder of PostgreSQL from a base backup and the log that was kept after it. */
import { appendFileSync, createReadStream, lchownSync, lstatSync } from 'node:fs';
import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { extract } from 'tar';
import type { Account } from '../postgres-files.ts';
import { Refused } from '../refused.ts';
import { unseal } from './sealed.ts';
import { gapAfter, keptSegments, readSegment } from './wal.ts';

const SEGMENT = /^[0-9A-F]{24}$/;

/**
 * Unpacks a backup into a new folder. `account`: who runs PostgreSQL, when it is another user.
 *
 * @throws Refused for another key, and for a file that was changed or cut off
 */
export async function unpackBase(
  file: string,
  folder: string,
  { secret, account }: { secret: string; account: Account | undefined },
): Promise<void> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  await pipeline(
    Readable.from(unseal(createReadStream(file), secret)),
    createGunzip(),
    extract({ cwd: folder, preserveOwner: false }),
  );
  giveTo(account, folder);
}

/**
 * Puts the kept log into the data folder, to be replayed at the next start up to a moment, or to its
 * end. Returns how many segments there are. `at`: ISO 8601; null is the end.
 *
 * @throws Refused when the log has a gap
 */
export async function addWal(
  data: string,
  at: string | null,
  {
    walFolder,
    secret,
    account,
  }: { walFolder: string; secret: string; account: Account | undefined },
): Promise<number> {
  const log = join(data, 'pg_wal');
  const own = readdirSync(log)
    .filter((name) => SEGMENT.test(name))
    .sort();
  const [first] = own;
  if (first === undefined) throw new Refused('The backup has no write-ahead log.');
  const bytes = statSync(join(log, first)).size;
  const kept = keptSegments(walFolder, first);
  const names = new Set([...own, ...kept.map(({ name }) => name)]);
  const gap = gapAfter([...names].sort(), bytes);
  if (gap !== null) throw new Refused(`The kept log has a gap after the segment ${gap}.`);
  for (const segment of kept) {
    const content = await readSegment(segment, secret);
    // PostgreSQL reads whole segments; the log ends where the zeros begin.
    const whole = Buffer.alloc(bytes);
    content.copy(whole);
    writeFileSync(join(log, segment.name), whole, { mode: 0o600 });
  }
  // The log lies in its own folder already, so there is nowhere else to fetch it from.
  const lines = ["restore_command = 'false'", "recovery_target_action = 'promote'"];
  // As PostgreSQL writes a moment: it takes no 'Z'.
  if (at !== null) lines.push(`recovery_target_time = '${at.replace('Z', '+00')}'`);
  appendFileSync(join(data, 'postgresql.auto.conf'), `${lines.join('\n')}\n`);
  writeFileSync(join(data, 'recovery.signal'), '', { mode: 0o600 });
  giveTo(account, data);
  return kept.length;
}

function giveTo(account: Account | undefined, path: string): void {
  if (account === undefined) return;
  lchownSync(path, account.uid, account.gid);
  if (!lstatSync(path).isDirectory()) return;
  for (const name of readdirSync(path)) giveTo(account, join(path, name));
}
