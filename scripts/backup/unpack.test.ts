import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Sealing } from './sealed.ts';
import { addWal } from './unpack.ts';

/** The kept log in a data folder: it is replayed to its end, or a restore is refused. */

const SECRET = 'a secret of tests';
const BYTES = 64 * 1024;
const nameOf = (nth: number): string => `0000000100000000${nth.toString(16).padStart(8, '0')}`;
let home: string;
let data: string;
let walFolder: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'unpack-test-'));
  [data, walFolder] = [join(home, 'data'), join(home, 'wal')];
  mkdirSync(join(data, 'pg_wal'), { recursive: true });
  mkdirSync(walFolder);
  writeFileSync(join(data, 'postgresql.auto.conf'), '');
  writeFileSync(join(data, 'pg_wal', nameOf(1)), segment(1));
});
afterEach(() => rmSync(home, { recursive: true }));

/** A segment as PostgreSQL begins each: its position is in the head of its first page. */
function segment(nth: number): Buffer {
  const bytes = Buffer.alloc(BYTES, nth);
  bytes.writeBigUInt64LE(BigInt(nth * BYTES), 8);
  return bytes;
}

function keep(nth: number, content: Buffer = segment(nth)): void {
  const sealing = new Sealing(SECRET);
  const isWhole = content.length === BYTES;
  const file = join(walFolder, `${nameOf(nth)}${isWhole ? '' : '.partial'}`);
  writeFileSync(file, Buffer.concat([sealing.head, sealing.next(content, isWhole)]));
}

const add = (at: string | null = null): Promise<number> =>
  addWal(data, at, { walFolder, secret: SECRET, account: undefined });
const MOMENT = '2026-11-26T14:30:00.000Z';

it('holds each kept segment, and the last one as far as it was kept', async () => {
  keep(2);
  keep(3, segment(3).subarray(0, 20_000));
  expect(await add()).toBe(2);
  expect(readFileSync(join(data, 'pg_wal', nameOf(2)))).toEqual(segment(2));
  const last = readFileSync(join(data, 'pg_wal', nameOf(3)));
  expect(last).toHaveLength(BYTES);
  expect(last.subarray(0, 20_000)).toEqual(segment(3).subarray(0, 20_000));
});

it('a segment that the base has whole is not replaced by a shorter one that was kept', async () => {
  keep(1, segment(1).subarray(0, 20_000));
  expect(await add()).toBe(1);
  expect(readFileSync(join(data, 'pg_wal', nameOf(1)))).toEqual(segment(1));
});

it('a log that begins after a gap behind the base is refused', async () => {
  keep(3, segment(3).subarray(0, 20_000));
  await expect(add()).rejects.toThrow(nameOf(1));
});

it.each([
  ['that lacks a segment', () => [keep(2), keep(4)]],
  [
    'with a segment that was not kept to its end',
    () => [keep(2, segment(2).subarray(0, 20_000)), keep(3)],
  ],
])('a log %s is refused, and restored to a moment before', async (_what, make) => {
  make();
  await expect(add()).rejects.toThrow(`gap after the beginning of the segment ${nameOf(2)}`);
  await add(MOMENT);
  expect(readdirSync(join(data, 'pg_wal')).sort()).toEqual([nameOf(1), nameOf(2)]);
});

it('ends where the log of an earlier restore goes on', async () => {
  keep(2, segment(2).subarray(0, 20_000));
  keep(3);
  const earlier = statSync(join(walFolder, nameOf(3))).mtimeMs / 1_000 - 60;
  utimesSync(join(walFolder, nameOf(3)), earlier, earlier);
  await add();
  expect(readdirSync(join(data, 'pg_wal')).sort()).toEqual([nameOf(1), nameOf(2)]);
});

it.each([null, MOMENT])('two files that were swapped are refused (to %s)', async (at) => {
  keep(2, segment(3));
  keep(3, segment(2));
  await expect(add(at)).rejects.toThrow(`The segment ${nameOf(2)} of the kept log holds another`);
});

it('a moment before the backup is refused, and one after its beginning is not', async () => {
  const label = 'START TIME: 2026-11-26 14:30:00 UTC\nLABEL: 2026-11-26T14-30-00-001Z\n';
  writeFileSync(join(data, 'backup_label'), label);
  keep(2);
  await expect(add(MOMENT)).rejects.toThrow('begun at 2026-11-26T14:30:00.001Z');
  expect(await add(MOMENT.replace('.000', '.001'))).toBe(1);
});
