import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';

const dataDir = mkdtempSync(join(tmpdir(), 'refused-test-'));
afterAll(() => rmSync(dataDir, { recursive: true }));

test.each(['webhooks.ts', 'backup/backup.ts', 'backup/restore.ts'])(
  'an option that scripts/%s does not have is refused in one line, and nothing is begun',
  (script) => {
    const { status, stderr } = spawnSync(
      process.execPath,
      [join('scripts', script), '--port', '3001'],
      { encoding: 'utf8', env: { ...process.env, DATA_DIR: dataDir }, timeout: 15_000 },
    );
    expect(stderr.trim().split('\n')).toEqual([expect.stringContaining("option '--port'")]);
    expect([status, readdirSync(dataDir)]).toEqual([1, []]);
  },
);
