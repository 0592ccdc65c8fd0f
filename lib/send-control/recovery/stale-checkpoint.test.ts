import type * as Fs from 'node:fs/promises';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import { readCheckpoints, writeCheckpoint } from './checkpoint-file.ts';
import type { Checkpoint } from './checkpoint.ts';

/** The folder of the checkpoints on a file server, which several workers read and write. */

const server = vi.hoisted(() => ({ stale: 0 }));
vi.mock('node:fs/promises', async (importOriginal) => {
  const fs = await importOriginal<typeof Fs>();
  const readFile = async (...asked: Parameters<typeof fs.readFile>): Promise<unknown> => {
    if (server.stale-- > 0) throw Object.assign(new Error('stale'), { code: 'ESTALE' });
    return fs.readFile(...asked);
  };
  return { ...fs, readFile };
});

const MARK: Checkpoint = {
  seq: '12',
  hash: 'ab'.repeat(32),
  database: { system: '77', timeline: 1, oid: 5 },
  successors: [],
  at: '2026-11-28T10:00:00.000Z',
};
const folder = mkdtempSync(join(tmpdir(), 'marks-'));
afterAll(() => rmSync(folder, { recursive: true }));
beforeEach(() => {
  server.stale = 0;
});

test('a checkpoint that another worker replaces while it is read is read anew, not unreadable', async () => {
  await writeCheckpoint(folder, 'one', MARK);
  server.stale = 2;
  expect(await readCheckpoints(folder)).toEqual({ marks: [MARK], unreadable: false });
});

test('a checkpoint that the file server never gives is unreadable', async () => {
  await writeCheckpoint(folder, 'one', MARK);
  server.stale = Infinity;
  expect(await readCheckpoints(folder)).toEqual({ marks: [], unreadable: true });
});
