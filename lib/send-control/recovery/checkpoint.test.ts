import { describe, expect, test } from 'vitest';
import { judgeDatabase } from './checkpoint.ts';
import type { Found, Checkpoint } from './checkpoint.ts';
import { endRefusal } from './rules.ts';

const database = { system: '77', timeline: 1, oid: 16_385 };
const mark: Checkpoint = {
  seq: '41',
  hash: 'a'.repeat(64),
  database,
  at: '2026-11-21T09:00:00.000Z',
};
const found = (more: Partial<Found> = {}): Found => ({
  database,
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
      { database: { ...database, timeline: 2 } },
      'other_database',
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
    ['not while a record waits for a person', { unseen: 1 }, 'recovery_unseen'],
  ] as const)('%s', (_what, more, refusal) => {
    expect(endRefusal({ ...facts, ...more })).toBe(refusal);
  });
});
