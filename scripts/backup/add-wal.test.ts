import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Sealing } from './sealed.ts';
import { addWal } from './unpack.ts';

/** The kept log beside the log of a base backup, in segments of 16 bytes. */

const SECRET = 'a secret of tests';
const BYTES = 16;
const FIRST = '000000010000000000000001';
const THIRD = '000000010000000000000003';
let home: string;
let data: string;
let walFolder: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'unpack-test-'));
  [data, walFolder] = [join(home, 'data'), join(home, 'wal')];
  mkdirSync(join(data, 'pg_wal'), { recursive: true });
  mkdirSync(walFolder);
  writeFileSync(join(data, 'postgresql.auto.conf'), "max_connections = '50'\n");
  writeFileSync(join(data, 'pg_wal', FIRST), 'all of the base.');
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

/** Keeps the content of a segment; one that is not whole is still being written. */
function keep(name: string, content: string): void {
  const sealing = new Sealing(SECRET);
  const isWhole = content.length === BYTES;
  const chunk = sealing.next(Buffer.from(content), isWhole);
  const file = join(walFolder, `${name}${isWhole ? '' : '.partial'}`);
  writeFileSync(file, Buffer.concat([sealing.head, chunk]));
}
const add = (at: string | null): Promise<number> =>
  addWal(data, at, { walFolder, secret: SECRET, account: undefined });
const segment = (name: string): string => readFileSync(join(data, 'pg_wal', name), 'latin1');

test('a segment that the base has whole is not replaced by a shorter one that was kept', async () => {
  keep(FIRST, 'all of');
  expect(await add(null)).toBe(1);
  expect(segment(FIRST)).toBe('all of the base.');
});

test('a log with a gap is refused: PostgreSQL would end there without an error', async () => {
  keep(THIRD, 'the end');
  await expect(add(null)).rejects.toThrow(FIRST);
});
