/** Makes a data folder of PostgreSQL from a base backup and the log that was kept after it. */
import { createReadStream, existsSync, lchownSync, lstatSync, mkdirSync } from 'node:fs';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { extract } from 'tar';
import type { Account } from '../postgres-files.ts';
import { Refused } from '../refused.ts';
import { unseal } from './sealed.ts';
import { gapAfter, isInPlace, keptAt, keptSegments, readSegment, type Kept } from './wal.ts';

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
 * @throws Refused when the moment is before the backup, the log has a gap, or a segment of it is not
 * the one of its name
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
  refuseEarlier(data, at);
  const log = join(data, 'pg_wal');
  const own = readdirSync(log)
    .filter((name) => SEGMENT.test(name))
    .sort();
  const [first] = own;
  if (first === undefined) throw new Refused('The backup has no write-ahead log.');
  const bytes = statSync(join(log, first)).size;
  const kept = keptSegments(walFolder, first);
  const names = [...new Set([...own, ...kept.map(({ name }) => name)])].sort();
  const gap = gapAfter(names, bytes);
  if (gap !== null) refuseGap(at, kept, { before: gap, names });
  const last = gap ?? names.at(-1)!;
  for (const segment of kept.filter(({ name }) => name <= last)) {
    const content = await readSegment(segment, secret);
    // The base has this segment as far as it needs it, which may be farther.
    if (content.length < bytes && own.includes(segment.name)) continue;
    if (!isInPlace(segment.name, content, bytes))
      throw new Refused(`The segment ${segment.name} of the kept log holds another one.`);
    const isCut = content.length < bytes && segment.name !== names.at(-1);
    if (isCut) refuseGap(at, kept, { before: segment.name, names });
    // PostgreSQL reads whole segments; the log ends where the zeros begin.
    const whole = Buffer.alloc(bytes);
    content.copy(whole);
    writeFileSync(join(log, segment.name), whole, { mode: 0o600 });
    if (isCut) break;
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

/** `makeBase` labels a backup with the moment at which it began. */
const LABEL = /^LABEL: (\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)-(\d{3})Z$/m;

/**
 * Where nothing was committed during the backup, PostgreSQL takes an earlier moment for its end, and
 * what should be undone is there.
 */
function refuseEarlier(data: string, at: string | null): void {
  const path = join(data, 'backup_label');
  const label = at === null || !existsSync(path) ? null : LABEL.exec(readFileSync(path, 'utf8'));
  if (at === null || label === null) return;
  const [, day, hours, minutes, seconds, ms] = label;
  const began = `${day}T${hours}:${minutes}:${seconds}.${ms}Z`;
  if (Date.parse(at) < Date.parse(began))
    throw new Refused(
      `This backup was begun at ${began}, after that moment: choose an earlier one.`,
    );
}

/**
 * Refuses a log with a gap, unless a moment was asked for: PostgreSQL refuses one that it does not
 * reach. What was kept before the segment at the gap is of an earlier history: the database was
 * restored twice, and the log of the first time went farther.
 */
function refuseGap(
  at: string | null,
  kept: readonly Kept[],
  { before, names }: { before: string; names: readonly string[] },
): void {
  const after = names[names.indexOf(before) + 1];
  const [here, next] = [before, after].map((name) => kept.find((one) => one.name === name));
  const isFormer = here !== undefined && next !== undefined && keptAt(next) < keptAt(here);
  if (at !== null || isFormer) return;
  throw new Refused(
    `The kept log has a gap after the beginning of the segment ${before}: name a moment before it ` +
      'with --at, or restore a copy of the backup from a folder of its own.',
  );
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
