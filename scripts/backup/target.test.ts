import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readSettings, type Settings } from '../settings.ts';
import { backupPlace, backupUrl } from './target.ts';

/** With which key backups are sealed, and of which server they are made. */

const dataDir = mkdtempSync(join(tmpdir(), 'target-test-'));
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

const KEY = 'k'.repeat(32);
const given = (variables: Record<string, string> = {}): NodeJS.ProcessEnv => ({
  NODE_ENV: 'test',
  ...variables,
});
const settings = (more: Partial<Settings> = {}): Settings => ({
  ...readSettings(given({ DATA_DIR: dataDir })),
  ...more,
});

test('the demo has a key of its own, which stays the same', () => {
  const { secret, folder } = backupPlace(given(), settings());
  expect(secret.length).toBeGreaterThanOrEqual(32);
  expect(backupPlace(given(), settings()).secret).toBe(secret);
  expect(folder).toBe(join(dataDir, 'backups'));
});

test('with real providers the key has to be given: one beside the data opens nothing without them', () => {
  const real = settings({ sandbox: false });
  expect(() => backupPlace(given(), real)).toThrow('BACKUP_KEY');
  expect(() => backupPlace(given({ BACKUP_KEY: 'short' }), real)).toThrow('BACKUP_KEY');
  expect(backupPlace(given({ BACKUP_KEY: KEY, BACKUP_DIR: '/backups' }), real)).toEqual({
    folder: '/backups',
    walFolder: '/backups/wal',
    secret: KEY,
  });
});

test("a server of one's own is backed up by its own address only", () => {
  const own = settings({ databaseUrl: 'postgresql://web@127.0.0.1/dashboard' });
  expect(() => backupUrl(given(), own)).toThrow('BACKUP_DATABASE_URL');
  expect(() => backupUrl(given(), settings())).toThrow('npm start');
  const url = 'postgresql://replicator@127.0.0.1/postgres';
  expect(backupUrl(given({ BACKUP_DATABASE_URL: url }), own)).toBe(url);
});
