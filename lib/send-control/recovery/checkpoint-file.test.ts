import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Checkpoint } from './checkpoint.ts';
import { forgetCheckpoints, readCheckpoints, writeCheckpoint } from './checkpoint-file.ts';

/** The checkpoints of several workers in one folder. */

const MINUTE_MS = 60_000;
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'marks-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const mark = (seq: string): Checkpoint => ({
  seq,
  hash: 'a'.repeat(64),
  database: { system: '77', timeline: 1, oid: 16_385 },
  successors: [],
  at: '2026-11-21T09:00:00.000Z',
});
/** Writes a checkpoint of this worker as it was so many minutes ago. */
async function written(worker: string, minutesAgo: number): Promise<void> {
  await writeCheckpoint(folder, worker, mark('41'));
  const at = new Date(Date.now() - minutesAgo * MINUTE_MS);
  utimesSync(join(folder, `${worker}.json`), at, at);
}
const files = (): string[] => readdirSync(folder).toSorted();

test('a worker removes the checkpoints of workers that have ended, and of no other', async () => {
  await written('own', 30);
  await written('at work', 0);
  await written('slow', 9);
  await written('ended', 11);
  writeFileSync(join(folder, 'writing.json.new'), '{');
  mkdirSync(join(folder, 'web'));
  await forgetCheckpoints(folder, 'own', false);
  expect(files()).toEqual(['at work.json', 'own.json', 'slow.json', 'web', 'writing.json.new']);
});

test('after a recovery only the own checkpoint is left', async () => {
  await written('own', 0);
  await written('at work', 0);
  await forgetCheckpoints(folder, 'own', true);
  expect(files()).toEqual(['own.json']);
});

test('a checkpoint that cannot be read is not taken for one that is gone', async () => {
  await written('own', 0);
  expect(await readCheckpoints(folder)).toEqual({ marks: [mark('41')], unreadable: false });
  // A read of it fails with another error than that of a missing file.
  mkdirSync(join(folder, 'other.json'));
  expect(await readCheckpoints(folder)).toEqual({ marks: [mark('41')], unreadable: true });
});

test('a folder that is not there has no checkpoint', async () => {
  expect(await readCheckpoints(join(folder, 'none'))).toEqual({ marks: [], unreadable: false });
});
