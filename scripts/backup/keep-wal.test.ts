import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import type * as Fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import type * as Replication from './replication.ts';
import { keepWal, keptSegments, readSegment } from './wal.ts';

/** What is on disk before the server may remove its own copy of the log. */

const SEGMENT_BYTES = 1024 * 1024;
const SECRET = 'a secret of tests';

const probe = vi.hoisted(() => ({
  /** What was put on disk, and the positions that the server was given, in their order. */
  events: [] as string[],
  paths: new Map<number, string>(),
  pieces: [] as Buffer[],
  end: new AbortController(),
}));

vi.mock('node:fs', async (original) => {
  const fs = await original<typeof Fs>();
  const openSync = (path: string, ...more: [string, number?]): number => {
    const file = fs.openSync(path, ...more);
    probe.paths.set(file, path);
    return file;
  };
  const named =
    (what: string, sync: (file: number) => void) =>
    (file: number): void => {
      sync(file);
      probe.events.push(`${what} ${probe.paths.get(file)!}`);
    };
  return {
    ...fs,
    openSync,
    fsyncSync: named('names in', fs.fsyncSync),
    fdatasyncSync: named('content of', fs.fdatasyncSync),
  };
});

/** A server with segments of one megabyte, which sends the pieces and is then interrupted. */
vi.mock('./replication.ts', async (original) => ({
  ...(await original<typeof Replication>()),
  connectReplication: async () => ({
    query: async (text: string) => ({
      rows: text.startsWith('SHOW')
        ? [{ wal_segment_size: '1MB' }]
        : [{ restart_lsn: '0/100000', restart_tli: '1' }],
    }),
    end: async () => undefined,
  }),
  followWal: (_client: unknown, _slot: string, from: bigint) => ({
    pieces: (async function* () {
      let at = from;
      for (const bytes of probe.pieces) {
        yield { at, bytes };
        at += BigInt(bytes.length);
      }
      probe.end.abort();
    })(),
    kept: (position: bigint) => void probe.events.push(`kept to ${position - from}`),
  }),
}));

const home = mkdtempSync(join(tmpdir(), 'keep-wal-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));

test('the server gets a position only when all before it is on disk, the names of the files too', async () => {
  const folder = join(home, 'wal');
  probe.pieces = [Buffer.alloc(600_000, 'a'), Buffer.alloc(SEGMENT_BYTES - 600_000 + 10, 'b')];
  await keepWal('postgresql://unused', { folder, secret: SECRET, signal: probe.end.signal });
  const [first, second] = ['000000010000000000000001', '000000010000000000000002'] as const;
  expect(probe.events.map((event) => event.replace(`${home}/`, '').replace(home, 'home'))).toEqual([
    'names in home',
    'names in wal',
    `content of wal/${first}.partial`,
    'kept to 600000',
    `content of wal/${first}.partial`,
    'names in wal',
    `kept to ${SEGMENT_BYTES}`,
    'names in wal',
    `content of wal/${second}.partial`,
    `kept to ${SEGMENT_BYTES + 10}`,
  ]);
  expect(readdirSync(folder).toSorted()).toEqual([first, `${second}.partial`]);
  const kept = await Promise.all(
    keptSegments(folder, first).map((segment) => readSegment(segment, SECRET)),
  );
  expect(Buffer.concat(kept).equals(Buffer.concat(probe.pieces))).toBe(true);
});
