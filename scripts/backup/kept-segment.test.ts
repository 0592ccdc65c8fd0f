import type * as Fs from 'node:fs';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { afterAll, expect, test, vi } from 'vitest';
import { keptSegments, KeptSegment, makeSlot, readSegment } from './wal.ts';

/** Each write takes half of what it is given, as on a disk that is nearly full. */
vi.mock('node:fs', async (importOriginal) => {
  const fs = await importOriginal<typeof Fs>();
  const writeSync = (file: number, bytes: Buffer, at = 0): number =>
    fs.writeSync(file, bytes, at, Math.ceil((bytes.length - at) / 2));
  return { ...fs, writeSync };
});

const NAME = '000000010000000000000001';
const folder = mkdtempSync(join(tmpdir(), 'kept-segment-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('what a segment was given is on disk, however little of it one write takes', async () => {
  const segment = new KeptSegment(join(folder, NAME), 'a secret of tests');
  segment.add(Buffer.from('first, '), false);
  segment.add(Buffer.from('second'), true);
  const [kept] = keptSegments(folder, NAME);
  expect((await readSegment(kept!, 'a secret of tests')).toString()).toBe('first, second');
});

/** A server with the slot, which keeps log from `restartLsn` on; null: it has removed it. */
function serverWithSlot(restartLsn: string | null): { client: pg.Client; commands: string[] } {
  const commands: string[] = [];
  let exists = true;
  const query = vi.fn<(text: string) => Promise<unknown>>(async (text) => {
    const verb = text.split(' ')[0]!;
    commands.push(verb);
    if (verb === 'CREATE_REPLICATION_SLOT' && exists)
      throw Object.assign(new Error('exists'), { code: '42710' });
    if (verb === 'DROP_REPLICATION_SLOT') exists = false;
    return { rows: [{ restart_lsn: restartLsn, restart_tli: '1' }] };
  });
  return { client: { query } as unknown as pg.Client, commands };
}

test('a slot that keeps its log stays, and one whose log was removed is made anew', async () => {
  const whole = serverWithSlot('0/3000000');
  await makeSlot(whole.client);
  expect(whole.commands).toEqual(['CREATE_REPLICATION_SLOT', 'READ_REPLICATION_SLOT']);
  const lost = serverWithSlot(null);
  await makeSlot(lost.client);
  expect(lost.commands.slice(2)).toEqual(['DROP_REPLICATION_SLOT', 'CREATE_REPLICATION_SLOT']);
});
