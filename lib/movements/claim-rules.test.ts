import { describe, expect, it } from 'vitest';
import {
  besideRequest,
  decide,
  expeditedTo,
  HINT_GUARD_MS,
  isAskedJustNow,
  lookAfterEnd,
  opensGate,
  queueAfter,
  underLease,
} from './claim-rules.ts';
import type { Due, ProviderResponse } from './claim-rules.ts';
import type { KindName } from './kinds.ts';
import type { Evidence, Movement } from './state.ts';
import type { MovementRow } from './row.ts';
import { LEASE_MS } from '#lib/begin-check/start-limit.ts';
import { inState, T0 } from './testing/movement.ts';

const notFound: ProviderResponse = {
  source: 'read',
  kind: 'read',
  outcome: { kind: 'not_found', raw: '{}' },
};
const notListed: ProviderResponse = {
  source: 'ledger',
  kind: 'ledger',
  outcome: { kind: 'not_listed', raw: '{}' },
};
const unclear: ProviderResponse = {
  source: 'answer',
  kind: 'answer',
  outcome: { kind: 'unclear', why: 'timeout', raw: null, code: null, message: null },
};
const held = { leaseToken: 'mine', leaseUntil: T0 + LEASE_MS };

describe('a response', () => {
  it('under a lease that somebody else holds by now, or nobody, is late', () => {
    for (const response of [notFound, notListed, unclear]) {
      expect(underLease(held, 'mine', response, T0)).toBe(response);
      expect(underLease({ ...held, leaseToken: 'other' }, 'mine', response, T0)).toMatchObject({
        late: true,
      });
      expect(
        underLease({ leaseToken: null, leaseUntil: null }, 'mine', response, T0),
      ).toMatchObject({
        late: true,
      });
    }
  });

  it('from a look describes that time only: a worker that slept reports it late with its own row', () => {
    for (const look of [notFound, notListed]) {
      expect(underLease(held, 'mine', look, T0 + LEASE_MS - 1)).toBe(look);
      expect(underLease(held, 'mine', look, T0 + LEASE_MS)).toMatchObject({ late: true });
    }
  });

  it('of the record is marked while the last request may still arrive, for 525 s of half an hour of quiet', () => {
    const policy = { quietMs: 30 * 60_000, manualAfterMs: 30 * 60_000, autoResend: true };
    expect(
      besideRequest({ lastSendAt: T0, restored: false }, notFound, T0 + 525_000 - 1, policy),
    ).toMatchObject({
      mayArrive: true,
    });
    expect(besideRequest({ lastSendAt: T0, restored: false }, notFound, T0 + 525_000, policy)).toBe(
      notFound,
    );
    expect(
      besideRequest({ lastSendAt: T0, restored: false }, notFound, T0 + 525, {
        ...policy,
        quietMs: 1_800,
      }),
    ).toBe(notFound);
    for (const other of [notListed, unclear])
      expect(besideRequest({ lastSendAt: T0, restored: false }, other, T0, policy)).toBe(other);
  });

  it('of the record says so when earlier requests may be missing after a restore', () => {
    const policy = { quietMs: 30 * 60_000, manualAfterMs: 30 * 60_000, autoResend: true };
    expect(besideRequest({ lastSendAt: T0, restored: true }, notFound, T0, policy)).toMatchObject({
      mayArrive: true,
      restored: true,
    });
  });

  it('as an answer belongs to its request, however late it is stored, while nobody took the row', () => {
    expect(underLease(held, 'mine', unclear, T0 + 10 * LEASE_MS)).toBe(unclear);
  });
});

describe('the one-minute gate of an IBAN', () => {
  const notSent: ProviderResponse = {
    source: 'answer',
    kind: 'answer',
    outcome: { kind: 'not_sent', why: 'dns', raw: null, code: null, message: null },
  };

  it('is opened by a send that provably never left, and not by a late word about an older send', () => {
    expect(opensGate(notSent)).toBe(true);
    expect(opensGate({ ...notSent, late: true })).toBe(false);
    expect(opensGate(unclear)).toBe(false);
  });
});

describe('a query that somebody asks for while another is under way', () => {
  const policy = { quietMs: 1_800_000, manualAfterMs: 1_800_000, autoResend: true };
  const after = inState('PENDING');
  const row = (nextAt: number) => ({ ...after, ...held, nextAt }) as MovementRow;
  const next = (nextAt: number, evidence: ProviderResponse) =>
    queueAfter(row(nextAt), evidence, after, T0 + 1_000, policy, () => 0.5);

  it('is made as soon as that one has ended', () => {
    expect(next(T0 + 500, notFound)).toEqual({ nextAt: T0 + 500, lease: null });
    expect(next(T0 + 500, { ...notFound, late: true })).toMatchObject({
      nextAt: T0 + 500,
      lease: { token: 'mine' },
    });
  });

  it('changes nothing when nobody asked: the end of the lease is no wish', () => {
    expect(next(T0 + LEASE_MS + 1, notFound)).toEqual({ nextAt: T0 + 3_000, lease: null });
  });
});

describe('a query that somebody asked for before the clock was set back', () => {
  const ahead = T0 + HINT_GUARD_MS + 1;
  it('keeps no later one back', () => {
    expect([isAskedJustNow(ahead, T0), isAskedJustNow(T0, T0)]).toEqual([false, true]);
    const row = { state: 'PENDING', sends: 1, lastHintAt: ahead } as const;
    expect(expeditedTo(row, T0, HINT_GUARD_MS, false)).toBe(T0);
  });
});

describe('a query about a refusal that somebody asked for', () => {
  const policy = { quietMs: 1_800_000, manualAfterMs: 1_800_000, autoResend: true };
  const after = inState('REJECTED', {
    kind: 'card_refund',
    reasonCode: '49',
    endedAt: T0,
    lastReadAt: T0 + 1_500_000,
  });
  const unanswered: ProviderResponse = {
    source: 'read',
    kind: 'read',
    outcome: { kind: 'no_answer', why: 'timeout', raw: null },
  };
  const next = (response: ProviderResponse, now: number) =>
    queueAfter(
      { ...after, ...held, lastHintAt: T0 + 1_600_000 } as MovementRow,
      response,
      after,
      now,
      policy,
      () => 0.5,
    ).nextAt;

  it('and that nobody answered is made again, for a week', () => {
    expect(next(unanswered, T0 + 1_600_000)).toBe(T0 + 1_600_000 + 15 * 60_000);
    expect(next(notFound, T0 + 1_600_000)).toBe(T0 + 24 * 3_600_000);
    expect(next(unanswered, T0 + 1_600_000 + 7 * 24 * 3_600_000)).toBeNull();
  });
});

describe('a payout that a person cancels', () => {
  const policy = { quietMs: 1_800_000, manualAfterMs: 1_800_000, autoResend: true };
  const DAY = 24 * 3_600_000;

  it('after the one-minute rule refused its request is read when a copy is listed, and a day later', () => {
    const refused = inState('CANCELLED', { sends: 2, notSentTries: 1, ibanWaits: 1 });
    expect(lookAfterEnd(refused, false, T0)).toBe(T0 + 25 * 60_000);
    const next = (now: number) =>
      queueAfter({ ...refused, ...held } as MovementRow, notFound, refused, now, policy, () => 0.5)
        .nextAt;
    expect(next(T0 + 25 * 60_000)).toBe(T0 + DAY);
    expect(next(T0 + DAY), 'the last query').toBeNull();
  });

  it('of which no request arrived is not asked about', () => {
    const unsent = inState('CANCELLED', { sends: 2, notSentTries: 2 });
    expect(lookAfterEnd(unsent, false, T0)).toBeNull();
  });
});

describe('approvals that run out', () => {
  const policy = { quietMs: 1_800_000, manualAfterMs: 1_800_000, autoResend: true };
  const now = T0 + 25 * 3_600_000;
  const DAY = 24 * 3_600_000;
  const nextAfter = (restored: boolean, kind: KindName = 'payout') => {
    const movement = { ...inState('AWAITING_APPROVAL', { kind, stateSince: T0 }), ...held };
    const due = { movement, now, restored } as Due;
    const decision = decide(
      due,
      () => '',
      policy,
      () => 0.5,
    );
    if (decision.kind !== 'note') throw new Error(decision.kind);
    return after(decision.evidence, kind);
  };
  const after = (evidence: Evidence, kind: KindName = 'payout', other: Partial<Movement> = {}) => {
    const expired = inState('EXPIRED', { kind, stateSince: now, sends: 0, ...other });
    const before = { ...expired, leaseToken: null, leaseUntil: null } as MovementRow;
    return queueAfter(before, evidence, expired, now, policy, () => 0.5).nextAt;
  };

  it('after a recovery are followed by a query, once the provider lists what the restore has lost', () => {
    expect(nextAfter(true)).toBe(now + 25 * 60_000);
    expect(nextAfter(true, 'transfer_own')).toBe(now + 25 * 60_000);
    expect(nextAfter(true, 'cashout'), 'nobody can be asked').toBeNull();
    expect(nextAfter(false), 'without a recovery nothing was sent').toBeNull();
  });

  it('are queried again while the provider gives no answer, and a last time a day later', () => {
    const silent: ProviderResponse = {
      source: 'read',
      kind: 'read',
      outcome: { kind: 'no_answer', why: 'timeout', raw: null },
    };
    expect(after(silent)).toBe(now + 15 * 60_000);
    expect(after(notFound)).toBe(now + DAY);
    expect(after(notFound, 'payout', { stateSince: now - DAY }), 'the last query').toBeNull();
    expect(after(notFound, 'payout', { sends: 1 }), 'its sends are known').toBeNull();
  });
});
