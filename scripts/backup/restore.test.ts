import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { create } from 'tar';
import { afterAll, expect, it } from 'vitest';
import { seal } from './sealed.ts';

/** What is refused leaves nothing behind on which a server could be started. */

const [SECRET, OTHER] = [randomBytes(32), randomBytes(32)].map((key) =>
  key.toString('base64url'),
) as [string, string];
const home = mkdtempSync(join(tmpdir(), 'restore-test-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));

/** A small data folder, packed and sealed as a backup is; a damaged one was not packed. */
async function backup(isDamaged: boolean): Promise<Buffer> {
  const data = join(home, 'data');
  mkdirSync(join(data, 'pg_wal'), { recursive: true });
  writeFileSync(join(data, 'PG_VERSION'), '18\n');
  writeFileSync(join(data, 'postgresql.auto.conf'), '');
  writeFileSync(join(data, 'pg_wal', '000000010000000000000001'), randomBytes(200_000));
  await create({ gzip: true, cwd: data, file: join(home, 'data.tgz') }, ['.']);
  const packed = isDamaged
    ? Buffer.alloc(200_000, 'no gzip')
    : readFileSync(join(home, 'data.tgz'));
  const pieces: Buffer[] = [];
  async function* chunks(): AsyncGenerator<Buffer> {
    for (let at = 0; at < packed.length; at += 50_000) yield packed.subarray(at, at + 50_000);
  }
  for await (const piece of seal(chunks(), SECRET)) pieces.push(piece);
  return Buffer.concat(pieces);
}

function restore(file: string, args: string[], key: string): Promise<string> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      ['scripts/backup/restore.ts', file, ...args],
      { env: { ...process.env, BACKUP_KEY: key, DATA_DIR: join(home, '.data'), SANDBOX: 'on' } },
      (_error, _stdout, stderr) => resolve(stderr),
    );
  });
}

it.each([
  {
    what: 'another key',
    args: [],
    key: OTHER,
    bytes: null,
    says: /BACKUP_KEY/,
  },
  { what: 'a file that was cut off', args: [], key: SECRET, bytes: 180_000, says: /cut off/ },
  {
    what: 'a moment of which no log was kept',
    args: ['--at', '2026-11-26T14:30:00Z'],
    key: SECRET,
    bytes: null,
    says: /No write-ahead log/,
  },
  {
    what: 'a moment of a day that no month has',
    args: ['--at', '2026-11-31T14:30:00Z'],
    key: SECRET,
    bytes: null,
    says: /with its zone/,
  },
  {
    what: 'a file that does not unpack',
    args: [],
    key: SECRET,
    bytes: null,
    isDamaged: true,
    says: /incorrect header check/,
  },
])('$what is refused, and makes no folder', async ({ args, key, bytes, isDamaged, says }) => {
  const file = join(home, 'base.backup');
  const whole = await backup(isDamaged ?? false);
  writeFileSync(file, whole.subarray(0, bytes ?? whole.length));
  const folder = join(home, 'restored');
  expect(await restore(file, ['--to', folder, ...args], key)).toMatch(says);
  expect(existsSync(folder)).toBe(false);
});

it('a day that there is not is refused in one line', async () => {
  const file = join(home, 'other.backup');
  writeFileSync(file, '');
  const said = await restore(file, ['--at', '2026-02-30T10:00:00Z'], SECRET);
  expect(said).toContain('--at is "2026-02-30T10:00:00Z"');
  expect(said.trim().split('\n')).toHaveLength(1);
});
