import { describe, expect, test } from 'vitest';
import { judgeDatabase, successorsOf } from './checkpoint.ts';
import type { Found, Checkpoint } from './checkpoint.ts';
import { endRefusal } from './rules.ts';

const database = { system: '77', timeline: 1, oid: 16_385 };
const mark: Checkpoint = {
  seq: '41',
  hash: 'a'.repeat(64),
  database,
  successors: ['db2'],
  at: '2026-11-21T09:00:00.000Z',
};
const found = (more: Partial<Found> = {}): Found => ({
  database,
  standbyName: 'db1',
  wasMarked: true,
  hasCompany: false,
  marks: [{ mark, hashThere: mark.hash }],
  unreadable: false,
  ...more,
});

describe('a database beside its marks', () => {
  test.each([
    ['that holds what they say is the one that was worked with', {}, null],
    ['that is shorter than a mark was restored', { marks: [{ mark, hashThere: null }] }, 'behind'],
    [
      'with another entry at that place was restored and went on',
      { marks: [{ mark, hashThere: 'b'.repeat(64) }] },
      'behind',
    ],
    [
      'that lacks what one of two workers saw was restored',
      {
        marks: [
          { mark, hashThere: mark.hash },
          { mark: { ...mark, seq: '42' }, hashThere: null },
        ],
      },
      'behind',
    ],
    [
      'in another cluster is another one',
      { database: { ...database, system: '78' } },
      'other_database',
    ],
    [
      'on another timeline was recovered to a point in time',
      { database: { ...database, timeline: 2 }, standbyName: null },
      'other_database',
    ],
    [
      'whose next timeline was begun by a standby that every commit had waited for lacks nothing',
      { database: { ...database, timeline: 2 }, standbyName: 'DB2' },
      null,
    ],
    [
      'whose next timeline was begun by another standby may lack something',
      { database: { ...database, timeline: 2 }, standbyName: 'db3' },
      'other_database',
    ],
    [
      'whose next timeline was begun by a standby that one worker had not seen waited for may lack something',
      {
        database: { ...database, timeline: 2 },
        standbyName: 'db2',
        marks: [
          { mark, hashThere: mark.hash },
          { mark: { ...mark, successors: [] }, hashThere: mark.hash },
        ],
      },
      'other_database',
    ],
    [
      'that lacks an entry was restored, whoever was promoted',
      {
        database: { ...database, timeline: 2 },
        standbyName: 'db2',
        marks: [{ mark, hashThere: null }],
      },
      'behind',
    ],
    [
      'two timelines later may lack something',
      { database: { ...database, timeline: 3 }, standbyName: 'db2' },
      'other_database',
    ],
    [
      'on an earlier timeline than its mark is another one',
      {
        database,
        standbyName: 'db2',
        marks: [
          { mark: { ...mark, database: { ...database, timeline: 2 } }, hashThere: mark.hash },
        ],
      },
      'other_database',
    ],
    [
      'on the timeline of its newest mark was compared with the older ones by then',
      {
        database: { ...database, timeline: 3 },
        marks: [
          { mark, hashThere: mark.hash },
          { mark: { ...mark, database: { ...database, timeline: 3 } }, hashThere: mark.hash },
        ],
      },
      null,
    ],
    [
      'made anew in the same cluster is another one',
      { database: { ...database, oid: 16_999 } },
      'other_database',
    ],
    ['whose marks are gone is not trusted', { marks: [] }, 'no_mark'],
    [
      'whose mark is torn is not trusted',
      { marks: [], unreadable: true, hasCompany: true },
      'no_mark',
    ],
    [
      'whose marks lie with another worker that is at work is trusted',
      { marks: [], hasCompany: true },
      null,
    ],
    ['that never had a mark begins to have one', { marks: [], wasMarked: false }, null],
  ] as const)('%s', (_what, more, why) => {
    expect(judgeDatabase(found(more as Partial<Found>))).toBe(why);
  });
});

describe('the standbys that have every acknowledged commit', () => {
  test.each([
    ['db2', 'on', ['db2']],
    ['"DB-2"', 'remote_apply', ['db-2']],
    ['1 (db2)', 'on', ['db2']],
    ['FIRST 2 (db2, "db3")', 'on', ['db2', 'db3']],
    ['ANY 2 (db2,db3)', 'on', ['db2', 'db3']],
    ['db2, db3', 'on', []],
    ['FIRST 1 (db2, db3)', 'on', []],
    ['ANY 1 (db2, db3)', 'on', []],
    ['*', 'on', []],
    ['1 (*)', 'on', []],
    ['', 'on', []],
    ['db2', 'remote_write', []],
    ['db2', 'local', []],
    ['db2', 'off', []],
  ])('of %j with synchronous_commit %s are %j', (names, commit, certain) => {
    expect(successorsOf(names, commit)).toEqual(certain);
  });
});

describe('a recovery may end', () => {
  const facts = {
    scannedAt: 1_000_000,
    listedBy: 900_000,
    problem: null,
    now: 1_000_500,
    unseen: 0,
  };
  test.each([
    ['when all was read and seen', {}, null],
    ['not before anything was read', { scannedAt: null }, 'recovery_not_read'],
    [
      'not while a late request may still come to be listed',
      { listedBy: 1_000_001 },
      'recovery_not_read',
    ],
    ['not after a reading that was cut short', { problem: 'timeout' }, 'recovery_not_read'],
    ['not on a reading of long ago', { now: 1_000_000 + 15 * 60_000 + 1 }, 'recovery_not_read'],
    ['not on a reading ahead of a clock that was set back', { now: 999_999 }, 'recovery_not_read'],
    ['not while a record waits for a person', { unseen: 1 }, 'recovery_unseen'],
  ] as const)('%s', (_what, more, refusal) => {
    expect(endRefusal({ ...facts, ...more })).toBe(refusal);
  });
});
