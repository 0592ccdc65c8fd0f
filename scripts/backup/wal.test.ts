import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, test } from 'vitest';
import { Sealing } from './sealed.ts';
import { gapAfter, keptSegments, readSegment } from './wal.ts';

const SECRET = 'a secret of tests';
const [FIRST, SECOND, THIRD, FOURTH, FIFTH, SIXTH] = [1, 2, 3, 4, 5, 6].map(
  (nth) => `00000001000000000000000${nth}`,
) as [string, string, string, string, string, string];
const folder = mkdtempSync(join(tmpdir(), 'wal-test-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Stores these pieces as they are kept. `end`: of the name of the file; '' for a whole segment. */
function keep(name: string, end: '' | '.partial' | '.before', pieces: readonly string[]): void {
  const sealing = new Sealing(SECRET);
  const chunks = pieces.map((piece, at) =>
    sealing.next(Buffer.from(piece), end === '' && at === pieces.length - 1),
  );
  writeFileSync(join(folder, `${name}${end}`), Buffer.concat([sealing.head, ...chunks]));
}

describe('the kept log', () => {
  keep(THIRD, '.partial', ['a']);
  keep(THIRD, '.before', ['a', 'b']);
  keep(SECOND, '', ['a', 'b', 'c']);
  keep(SECOND, '.before', ['a']);
  keep(FIRST, '', ['a']);
  // Restored twice to the same moment, a database writes two logs of one name.
  keep(FOURTH, '.partial', ['new']);
  keep(FOURTH, '', ['former', 'and longer']);
  // The disk was full when the segment was begun anew.
  keep(FIFTH, '.before', ['a']);
  writeFileSync(join(folder, `${FIFTH}.partial`), '');
  writeFileSync(join(folder, `${SIXTH}.partial`), new Sealing(SECRET).head.subarray(0, 20));
  // Of the database that was restored to an earlier moment and went on from there.
  keep('000000020000000000000002', '', ['other']);
  const read = async (first: string): Promise<string[][]> =>
    Promise.all(
      keptSegments(folder, first).map(async (segment) => [
        segment.name,
        (await readSegment(segment, SECRET)).toString(),
      ]),
    );

  it('is read in its order, and to the last piece that is on disk of each segment', async () => {
    expect(await read(FIRST)).toEqual([
      [FIRST, 'a'],
      [SECOND, 'abc'],
      [THIRD, 'ab'],
      [FOURTH, 'new'],
      [FIFTH, 'a'],
      [SIXTH, ''],
    ]);
  });

  it('begins with the first segment of the base backup, and not behind it', async () => {
    expect((await read(SECOND)).map(([name]) => name)).toEqual([
      SECOND,
      THIRD,
      FOURTH,
      FIFTH,
      SIXTH,
    ]);
  });
});

const MEGABYTES_16 = 16 * 1024 * 1024;

test.each([
  [['000000010000000000000005', '000000010000000000000006'], null],
  [['0000000100000000000000FE', '0000000100000000000000FF', '000000010000000100000000'], null],
  [
    ['000000010000000000000001', '000000010000000000000002', '000000010000000000000004'],
    '000000010000000000000002',
  ],
  [['0000000100000000000000FF', '000000010000000100000001'], '0000000100000000000000FF'],
  [['000000010000000000000005', '000000020000000000000006'], '000000010000000000000005'],
  [[], null],
])('a log of %j that lacks a segment is known by the one before the gap', (names, gap) => {
  expect(gapAfter(names, MEGABYTES_16)).toBe(gap);
});
