import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { takeLock } from '../../scripts/lock.ts';
import { run, throwawayFolder } from './dashboard.ts';

function folderWithData(): string {
  const dataDir = throwawayFolder();
  for (const name of ['postgres', 'sandbox', 'mine']) mkdirSync(join(dataDir, name));
  writeFileSync(join(dataDir, 'secrets.json'), '{}');
  return dataDir;
}

describe('a reset', () => {
  test('wipes database, sandbox and secrets, and nothing else', async () => {
    const dataDir = folderWithData();
    mkdirSync(join(dataDir, 'backups', 'wal'), { recursive: true });
    const reset = await run({ script: 'reset.mjs', args: ['--yes'], dataDir });
    expect(await reset.ended()).toBe(0);
    expect(readdirSync(join(dataDir, 'backups')), 'the log of the former database').toEqual([
      expect.stringMatching(/^wal\.before-/),
    ]);
    expect(
      ['postgres', 'sandbox', 'secrets.json', 'mine'].map((name) =>
        existsSync(join(dataDir, name)),
      ),
    ).toEqual([false, false, false, true]);
  });

  test('without a person to ask and without --yes changes nothing', async () => {
    const dataDir = folderWithData();
    const reset = await run({ script: 'reset.mjs', dataDir });
    expect(await reset.ended()).toBe(1);
    expect(reset.output()).toContain('--yes');
    expect(existsSync(join(dataDir, 'postgres'))).toBe(true);
  });

  test('beside a running dashboard is refused', async () => {
    const dataDir = folderWithData();
    const lock = takeLock(dataDir)!;
    const reset = await run({ script: 'reset.mjs', args: ['--yes'], dataDir });
    expect(await reset.ended()).toBe(1);
    expect(reset.output()).toContain('stop it first');
    expect(existsSync(join(dataDir, 'postgres'))).toBe(true);
    lock.release();
  });
});
