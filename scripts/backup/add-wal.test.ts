import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Sealing } from './sealed.ts';
import { addWal, forgetRecovery } from './unpack.ts';

/** The kept log beside the log of a base backup, in segments of 16 bytes. */

const SECRET = 'a secret of tests';
const BYTES = 16;
const [FIRST, SECOND, THIRD] = [1, 2, 3].map((nth) => `00000001000000000000000${nth}`) as [
  string,
  string,
  string,
];
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
const settings = (): string => readFileSync(join(data, 'postgresql.auto.conf'), 'utf8');

test('a segment that the base has whole is not replaced by a shorter one that was kept', async () => {
  keep(FIRST, 'all of');
  expect(await add(null)).toBe(1);
  expect(segment(FIRST)).toBe('all of the base.');
});

test('kept segments follow those of the base, the last one filled up with zeros', async () => {
  keep(FIRST, 'all of the base!');
  keep(SECOND, 'the next segment');
  keep(THIRD, 'the end');
  expect(await add(null)).toBe(3);
  expect([FIRST, SECOND, THIRD].map(segment)).toEqual([
    'all of the base!',
    'the next segment',
    'the end'.padEnd(BYTES, '\0'),
  ]);
  expect(existsSync(join(data, 'recovery.signal'))).toBe(true);
  expect(settings()).not.toContain('recovery_target_time');
});

test('a log with a gap is refused: PostgreSQL would end there without an error', async () => {
  keep(THIRD, 'the end');
  await expect(add(null)).rejects.toThrow(FIRST);
});

test('the moment of a restore is a setting, and nothing of it is left for a later backup', async () => {
  keep(SECOND, 'the next segment');
  await add('2026-11-26T14:30:00.000Z');
  expect(settings()).toContain("recovery_target_time = '2026-11-26T14:30:00.000+00'\n");
  expect(forgetRecovery(data)).toBe("max_connections = '50'\n");
  expect(settings()).toBe("max_connections = '50'\n");
});
