/**
 * Keeps the write-ahead log beside the base backups, segment by segment and sealed, so that a
 * restore can reach any moment after a base backup. A replication slot keeps the server from
 * removing what is not on disk here yet.
 */
import { closeSync, createReadStream, existsSync, fdatasyncSync, fsyncSync } from 'node:fs';
import { mkdirSync, openSync, readdirSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type pg from 'pg';
import { Refused } from '../refused.ts';
import { connectReplication, followWal, readLsn } from './replication.ts';
import { Sealing, unseal } from './sealed.ts';

const SLOT = 'payment_desk_backup';
const DUPLICATE = '42710';
const PARTIAL = '.partial';
/** What was kept of a segment before the log was followed anew from the segment's beginning. */
const BEFORE = '.before';
const UNITS: Readonly<Record<string, bigint>> = { MB: 1n << 20n, GB: 1n << 30n };
const NAME_DIGITS = 8;
/** In the head of a page of the log, behind its magic number, flags and timeline. */
const PAGE_POSITION_AT = 8;

/**
 * Makes the slot where it is missing: from now on the server keeps its log for us. A slot whose log
 * the server has removed (`max_slot_wal_keep_size`) never keeps any again, so it is made anew.
 */
export async function makeSlot(client: pg.Client): Promise<void> {
  const make = `CREATE_REPLICATION_SLOT ${SLOT} PHYSICAL RESERVE_WAL`;
  try {
    await client.query(make);
  } catch (error) {
    if ((error as { code?: string }).code !== DUPLICATE) throw error;
    if ((await readSlot(client)) !== null) return;
    await client.query(`DROP_REPLICATION_SLOT ${SLOT}`);
    await client.query(make);
  }
}

/** From where on the server keeps its log for us; null when it has removed log that was not kept. */
async function readSlot(client: pg.Client): Promise<{ lsn: string; timeline: string } | null> {
  const { rows } = await client.query<{ restart_lsn: string | null; restart_tli: string }>(
    `READ_REPLICATION_SLOT ${SLOT}`,
  );
  const [slot] = rows;
  return slot?.restart_lsn ? { lsn: slot.restart_lsn, timeline: slot.restart_tli } : null;
}

/**
 * Follows the log until `signal` ends it. `folder`: where the segments are kept.
 *
 * @throws Refused when the server has removed its log, or ends the stream
 */
export async function keepWal(
  url: string,
  { folder, secret, signal }: { folder: string; secret: string; signal: AbortSignal },
): Promise<void> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  syncFolder(dirname(folder));
  const client = await connectReplication(url);
  if (signal.aborted) return client.end();
  signal.addEventListener('abort', () => void client.end(), { once: true });
  try {
    await follow(client, { folder, secret });
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    await client.end().catch(() => {});
  }
  if (!signal.aborted) throw new Refused('The database has ended the stream of its log.');
}

async function follow(
  client: pg.Client,
  { folder, secret }: { folder: string; secret: string },
): Promise<void> {
  const size = await segmentSize(client);
  const slot = await readSlot(client);
  if (slot === null)
    throw new Refused('The server has removed log that was not kept: make a new base backup.');
  const position = readLsn(slot.lsn);
  const stream = followWal(client, SLOT, position - (position % size));
  let segment: KeptSegment | null = null;
  try {
    for await (const { at, bytes } of stream.pieces)
      for (let offset = 0; offset < bytes.length;) {
        const place = at + BigInt(offset);
        const room = Number(size - (place % size));
        const part = bytes.subarray(offset, offset + room);
        const name = segmentName(slot.timeline, place / size, (1n << 32n) / size);
        segment ??= new KeptSegment(join(folder, name), secret);
        segment.add(part, part.length === room);
        if (part.length === room) segment = null;
        offset += part.length;
        stream.kept(at + BigInt(offset));
      }
  } finally {
    segment?.close();
  }
}

/** One segment on its way to disk; what `add` was given is there when it returns. */
export class KeptSegment {
  private readonly path: string;
  private readonly file: number;
  private readonly sealing: Sealing;

  constructor(path: string, secret: string) {
    this.path = path;
    for (const end of [PARTIAL, '']) keepLonger(`${path}${end}`, `${path}${BEFORE}`);
    this.sealing = new Sealing(secret);
    this.file = openSync(`${path}${PARTIAL}`, 'w', 0o600);
    this.write(this.sealing.head);
    syncFolder(dirname(path));
  }

  add(bytes: Buffer, isLast: boolean): void {
    this.write(this.sealing.next(bytes, isLast));
    fdatasyncSync(this.file);
    if (!isLast) return;
    closeSync(this.file);
    renameSync(`${this.path}${PARTIAL}`, this.path);
    syncFolder(dirname(this.path));
    rmSync(`${this.path}${BEFORE}`, { force: true });
  }

  close(): void {
    closeSync(this.file);
  }

  /** A disk that is nearly full takes a part and reports no error: the rest is written, or refused. */
  private write(bytes: Buffer): void {
    for (let at = 0; at < bytes.length;) at += writeSync(this.file, bytes, at);
  }
}

/**
 * Puts the names of a folder's files on disk. The server removes what is reported as kept here, so a
 * new name must not be lost with the power.
 */
export function syncFolder(path: string): void {
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

/** Until the segment is whole again, the longer of two earlier beginnings stays. */
function keepLonger(partial: string, before: string): void {
  const bytes = (path: string): number => (existsSync(path) ? statSync(path).size : -1);
  if (bytes(partial) > bytes(before)) renameSync(partial, before);
}

/** A kept segment: its name as PostgreSQL knows it, and the files that may hold it. */
export type Kept = { name: string; files: { path: string; isOpen: boolean }[] };

/** The kept segments from `first` on, of its timeline and in their order. */
export function keptSegments(folder: string, first: string): Kept[] {
  if (!existsSync(folder)) return [];
  const names = new Set(readdirSync(folder).map((file) => file.slice(0, 3 * NAME_DIGITS)));
  return [...names]
    .filter((name) => name >= first && name.startsWith(first.slice(0, NAME_DIGITS)))
    .sort()
    .map((name) => ({
      name,
      // The newest first: while it is written, it has no other name than this.
      files: [PARTIAL, '', BEFORE]
        .map((end) => ({ path: join(folder, `${name}${end}`), isOpen: end !== '' }))
        .filter(({ path }) => existsSync(path)),
    }));
}

/** When something of a segment was kept last, in milliseconds. */
export function keptAt({ files }: Kept): number {
  return Math.max(...files.map(({ path }) => statSync(path).mtimeMs));
}

/**
 * The first segment of a log whose next one is missing; null when there is none. PostgreSQL would
 * replay up to it and end there without an error. `names`: sorted; `bytes`: the size of a segment.
 */
export function gapAfter(names: readonly string[], bytes: number): string | null {
  const place = (name: string): bigint =>
    (BigInt(`0x${name.slice(0, NAME_DIGITS)}`) << 64n) + nthOf(name, bytes);
  return (
    names.find((name, at) => at + 1 < names.length && place(names[at + 1]!) !== place(name) + 1n) ??
    null
  );
}

/** The number of a segment in the whole log, whatever its timeline. */
function nthOf(name: string, bytes: number): bigint {
  const [high, low] = [1, 2].map((part) =>
    BigInt(`0x${name.slice(part * NAME_DIGITS, (part + 1) * NAME_DIGITS)}`),
  ) as [bigint, bigint];
  return high * ((1n << 32n) / BigInt(bytes)) + low;
}

/**
 * Whether a segment is the one of its name: each page of the log begins with its own position, and a
 * server replays up to a page of another one and ends there without an error.
 */
export function isInPlace(name: string, content: Buffer, bytes: number): boolean {
  if (content.length < PAGE_POSITION_AT + 8) return true;
  return content.readBigUInt64LE(PAGE_POSITION_AT) === nthOf(name, bytes) * BigInt(bytes);
}

/**
 * The content of a segment: of what was kept of it, the longest that goes on from the newest. After a
 * restore another log may have the same name, so that one which differs is of another history.
 */
export async function readSegment({ files }: Kept, secret: string): Promise<Buffer> {
  const contents = await Promise.all(
    files.map(async ({ path, isOpen }) => {
      try {
        return Buffer.concat(
          await Array.fromAsync(unseal(createReadStream(path), secret, { isOpen })),
        );
      } catch (error) {
        throw error instanceof Refused ? new Refused(`${path}: ${error.message}`) : error;
      }
    }),
  );
  const [newest = Buffer.alloc(0), ...others] = contents;
  return others
    .filter((other) => other.subarray(0, newest.length).equals(newest))
    .reduce((longest, other) => (other.length > longest.length ? other : longest), newest);
}

/** `SHOW wal_segment_size` in bytes: 16 MB unless the server was made otherwise. */
export async function segmentSize(client: pg.Client): Promise<bigint> {
  const { rows } = await client.query<{ wal_segment_size: string }>('SHOW wal_segment_size');
  const [, count, unit] = /^(\d+)([MG]B)$/.exec(rows[0]?.wal_segment_size ?? '') ?? [];
  const bytes = BigInt(count ?? 0) * (UNITS[unit ?? ''] ?? 0n);
  if (bytes === 0n) throw new Refused('The server does not say how long its log segments are.');
  return bytes;
}

/** `nth`: the segment's number; `each`: how many segments one "log file" of 4 GiB has. */
function segmentName(timeline: string, nth: bigint, each: bigint): string {
  return [BigInt(timeline), nth / each, nth % each]
    .map((part) => part.toString(16).toUpperCase().padStart(NAME_DIGITS, '0'))
    .join('');
}
