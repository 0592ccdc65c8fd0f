import { describe, expect, it } from 'vitest';
import { awaitedUntil, LISTED_WITHIN_MS, secondCharge, verdict } from './charge.ts';
import type { ChargeState } from './charge.ts';
import type { KnownCharge } from './plan.ts';

/** Rows that a plan's record lists late, and the charges to which they may belong. */

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const QUIET = 30 * MINUTE;
const SENT = Date.parse('2026-11-21T12:00:00Z');

const row = (number: number, status: KnownCharge['status'], at: number | null): KnownCharge => ({
  id: null,
  orderId: `VP${number}`,
  number,
  amountMinor: '10000',
  status,
  at: at === null ? null : new Date(at).toISOString(),
  attempts: 1,
  remarks: null,
});
const TAKEN_BEFORE = row(1, 'completed', SENT - 30 * 24 * HOUR);

describe('a declined row that is listed after a lost answer', () => {
  const judged = (planned: KnownCharge[], hours: number) =>
    verdict(
      {
        state: 'UNKNOWN',
        sentAt: SENT,
        before: [TAKEN_BEFORE, ...planned],
        reads: 9,
        unlisted: 0,
      },
      [TAKEN_BEFORE, row(2, 'failed', SENT)],
      SENT + hours * HOUR,
      QUIET,
    );

  it('ends the charge while the gateway’s own next one is not due', () => {
    const declined = { state: 'NOT_CHARGED', reason: 'declined' };
    expect(judged([row(2, 'pending', SENT + 3 * HOUR)], 2)).toEqual(declined);
    expect(judged([row(2, 'pending', SENT + 2 * HOUR + 11 * MINUTE)], 2)).toEqual(declined);
  });

  it('ends nothing once the gateway’s own charge was due: the row may be that of its own try', () => {
    expect(judged([row(2, 'pending', SENT - HOUR)], 2), 'overdue when sent').toBeNull();
    expect(judged([row(2, 'pending', SENT + HOUR)], 2), 'due since').toBeNull();
    expect(judged([row(2, 'pending', SENT + 2 * HOUR + 9 * MINUTE)], 2), 'due at once').toBeNull();
    expect(judged([row(2, 'pending', null)], 2), 'planned without a time').toBeNull();
    expect(judged([], 2), 'nothing planned').toBeNull();
  });
});

describe('a charge that people said was taken', () => {
  const charge = (state: ChargeState, isListed = false) => ({ state, isListed, sentAt: SENT });

  it('is awaited until its row is listed, for a week from its send', () => {
    const end = SENT + LISTED_WITHIN_MS;
    expect(awaitedUntil(charge('CHARGED'), end - 1)).toBe(end);
    expect(awaitedUntil(charge('CHARGED'), end)).toBeNull();
    expect(awaitedUntil(charge('CHARGED', true), SENT)).toBeNull();
    for (const state of ['UNKNOWN', 'APPROVED', 'NOT_CHARGED'] as const)
      expect(awaitedUntil(charge(state), SENT), state).toBeNull();
  });

  it('is not called declined by a later record, however many declined rows it lists', () => {
    const before = [TAKEN_BEFORE, row(2, 'pending', SENT + 99 * HOUR)];
    const waiting = { state: 'CHARGED' as const, sentAt: SENT, before, reads: 9, unlisted: 0 };
    const declined = [TAKEN_BEFORE, row(2, 'failed', SENT), row(3, 'failed', SENT)];
    expect(verdict(waiting, declined, SENT + 48 * HOUR, QUIET)).toBeNull();
    expect(
      verdict(waiting, [TAKEN_BEFORE, row(2, 'completed', SENT)], SENT + 48 * HOUR, QUIET),
    ).toMatchObject({ state: 'CHARGED', taken: { number: 2 } });
  });
});

describe('a second charge of one request', () => {
  const before = [TAKEN_BEFORE, row(2, 'pending', SENT + 99 * HOUR)];
  const found = (charges: KnownCharge[], explained: string[], now = SENT + 48 * HOUR) =>
    secondCharge({ sentAt: SENT, before }, new Set(explained), [TAKEN_BEFORE, ...charges], {
      now,
      quietMs: QUIET,
    });
  const own = row(2, 'completed', SENT);

  it('is one at about the time of the request that no charge made here explains', () => {
    expect(found([own, row(3, 'completed', SENT + QUIET)], ['n:2'])).toMatchObject({ number: 3 });
    expect(found([own, row(3, 'completed', SENT - QUIET)], ['n:2'])).toMatchObject({ number: 3 });
    expect(found([own], ['n:2'])).toBeNull();
    expect(found([own, row(3, 'completed', SENT)], ['n:2', 'n:3'])).toBeNull();
    expect(found([own, row(3, 'failed', SENT)], ['n:2'])).toBeNull();
  });

  it('is not the gateway’s own charge of another day, nor one without a time that is listed later', () => {
    expect(found([own, row(3, 'completed', SENT + QUIET + 1)], ['n:2'])).toBeNull();
    expect(found([own, row(3, 'completed', null)], ['n:2'])).toBeNull();
    expect(found([own, row(3, 'completed', null)], ['n:2'], SENT + MINUTE)).not.toBeNull();
  });
});
