/** Makes a data folder of PostgreSQL from a base backup and the log that was kept after it. */
import { createReadStream, lchownSync, lstatSync, mkdirSync, readdirSync } from 'node:fs';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
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
  // The library only warns of a file that could not be written, and goes on with the next one.
  let lost: string | Error | null = null;
  const onwarn = (code: string, problem: string | Error): void => {
    if (code === 'TAR_ENTRY_ERROR') lost ??= problem;
  };
  await pipeline(
    Readable.from(unseal(createReadStream(file), secret)),
    createGunzip(),
    extract({ cwd: folder, preserveOwner: false, onwarn }),
  );
  if (lost !== null) throw new Refused(`The backup could not be unpacked: ${String(lost)}`);
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
    // The base has this segment as far as it needs it, which may be farther.
    if (content.length < bytes && own.includes(segment.name)) continue;
    // PostgreSQL reads whole segments; the log ends where the zeros begin.
    const whole = Buffer.alloc(bytes);
    content.copy(whole);
    writeFileSync(join(log, segment.name), whole, { mode: 0o600 });
  }
  // The log lies in its own folder already, so there is nowhere else to fetch it from.
  const lines = ["restore_command = 'false'", "recovery_target_action = 'promote'"];
  // As PostgreSQL writes a moment: it takes no 'Z'.
  if (at !== null) lines.push(`recovery_target_time = '${at.replace('Z', '+00')}'`);
  const former = forgetRecovery(data);
  writeFileSync(join(data, SETTINGS), `${former}${lines.join('\n')}\n`, { mode: 0o600 });
  writeFileSync(join(data, 'recovery.signal'), '', { mode: 0o600 });
  giveTo(account, data);
  return kept.length;
}

const SETTINGS = 'postgresql.auto.conf';
const OF_RECOVERY = /^(?:restore_command|recovery_target_action|recovery_target_time) = .*\n/gm;

/**
 * Removes the settings of a restore, and answers what is left. A later backup would have them, and
 * its restore would end at the moment of the earlier one.
 */
export function forgetRecovery(data: string): string {
  const path = join(data, SETTINGS);
  const left = readFileSync(path, 'utf8').replace(OF_RECOVERY, '');
  writeFileSync(path, left);
  return left;
}

function giveTo(account: Account | undefined, path: string): void {
  if (account === undefined) return;
  lchownSync(path, account.uid, account.gid);
  if (!lstatSync(path).isDirectory()) return;
  for (const name of readdirSync(path)) giveTo(account, join(path, name));
}
