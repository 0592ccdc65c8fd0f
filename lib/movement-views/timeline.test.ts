import { describe, expect, test } from 'vitest';
import { isCopied, shownOf, situationOf } from './situation.ts';
import { isSettled, timelineNodes } from './timeline.ts';
import type { MovementView, TimelineEntry } from './view-model.ts';

const T0 = Date.parse('2026-03-06T11:06:40.000Z');
const at = (seconds: number): string => new Date(T0 + seconds * 1000).toISOString();

function entry(
  seconds: number,
  kind: string,
  from: TimelineEntry['from'],
  to: TimelineEntry['to'],
  more: Partial<TimelineEntry> = {},
): TimelineEntry {
  const source =
    (
      {
        claimed: 'worker',
        lease_expired: 'worker',
        pending_too_long: 'worker',
        answer: 'answer',
        read: 'read',
        ledger: 'ledger',
        notice: 'notice',
      } as const
    )[kind] ?? 'person';
  return {
    at: at(seconds),
    source,
    kind,
    outcome: null,
    why: null,
    hint: null,
    code: null,
    from,
    to,
    ...more,
  };
}

const SUBMITTED = [
  entry(0, 'submitted', 'DRAFT', 'AWAITING_APPROVAL'),
  entry(0, 'approved', 'AWAITING_APPROVAL', 'APPROVED'),
];
const SENT = [...SUBMITTED, entry(1, 'claimed', 'APPROVED', 'SUBMITTING')];
const ACCEPTED = [
  ...SENT,
  entry(2, 'answer', 'SUBMITTING', 'PENDING', { outcome: 'accepted', code: '100' }),
];
const NOTICED = [...ACCEPTED, entry(4, 'notice', 'PENDING', 'PENDING', { hint: 'completed' })];
const COMPLETED = [...NOTICED, entry(5, 'read', 'PENDING', 'COMPLETED')];
const LOST = [
  ...SENT,
  entry(32, 'answer', 'SUBMITTING', 'UNKNOWN', { outcome: 'unclear', why: 'timeout' }),
];

function view(more: Partial<MovementView>): MovementView {
  return {
    id: '0b6f3c1e-9d1a-4f0a-8f4e-0a1b2c3d4e5f',
    kind: 'payout',
    cardPaymentId: null,
    extId: '7F3K92AX7F3K92AX7F3K',
    state: 'APPROVED',
    returned: 'NONE',
    alert: null,
    alertSeen: null,
    amount: '12400.00',
    currency: 'TRY',
    fee: null,
    wallet: '4410270001',
    payee: 'TR330006100519786457841326',
    found: null,
    bankName: null,
    name: 'ABC Ltd.',
    taxNumber: '1234567890',
    phone: null,
    paymentType: '06',
    description: '',
    overrides: [],
    overrideReason: null,
    maker: 'Ayşe',
    createdAt: at(0),
    stateSince: at(0),
    lastSendAt: null,
    acceptedAt: null,
    endedAt: null,
    returnedAt: null,
    requestId: null,
    transactionId: null,
    reasonCode: null,
    reasonText: null,
    ledgerSeenAt: null,
    nextLookAt: null,
    now: at(10),
    stop: null,
    isBatchHeld: false,
    waitsForPerson: false,
    mayHaveLeft: false,
    sends: 0,
    ibanWaits: 0,
    notSentTries: 0,
    retryOf: null,
    retriedBy: null,
    recipientId: null,
    batch: null,
    apiKey: null,
    receipt: null,
    timeline: SUBMITTED,
    observations: { answer: null, record: null, ledger: null, notice: null },
    raw: [],
    can: { decide: false, ask: false, cancel: false, payAgain: false, acknowledge: false },
    closing: null,
    statements: null,
    decided: { given: [], sentBack: null },
    ...more,
  };
}

const sentBack = { by: 'Mehmet', of: null, at: at(9), reason: 'another account' };

describe('what was approved', () => {
  const given = (by: string, seconds: number, overrideReason: string | null) => ({
    by,
    of: null,
    at: at(seconds),
    overrideReason,
    lapsed: false,
  });

  test('has a step for each approval with its name, and another one for a release', () => {
    const one = view({
      timeline: [...SUBMITTED, entry(5, 'approved', 'AWAITING_APPROVAL', 'APPROVED')],
      decided: { given: [given('Mehmet', 3, null), given('Selin', 5, 'ill')], sentBack: null },
    });
    const steps = timelineNodes(one).filter((node) => node.by !== null);
    expect(steps.map(({ code, kind, by }) => [code, kind, by])).toEqual([
      ['approval_given', 'done', 'Mehmet'],
      ['released_alone', 'released', 'Selin'],
    ]);
    const order = codes(one);
    expect(order.lastIndexOf('queued'), 'the last one makes it ready').toBeGreaterThan(
      order.indexOf('released_alone'),
    );
  });
});

describe('what was sent back', () => {
  const back = view({ state: 'CANCELLED', decided: { given: [], sentBack } });

  test('is not said to be cancelled', () => {
    expect(situationOf(back)).toBe('sent_back');
    expect(shownOf(back)).toMatchObject({ state: 'CANCELLED', isSentBack: true });
  });

  test('is not said to be unsent while a restore may have lost a send', () => {
    expect(situationOf({ ...back, mayHaveLeft: true })).toBe('cancelled_unproven');
  });
});

const codes = (one: MovementView): string[] => timelineNodes(one).map((node) => node.code);
const waiting = { id: 'r', state: 'WAITING', at: null } as const;

describe('the timeline of a payout', () => {
  test('has one length on the normal path, from the queue to the receipt', () => {
    const path = [
      view({ state: 'APPROVED', timeline: SUBMITTED }),
      view({ state: 'SUBMITTING', timeline: SENT }),
      view({ state: 'PENDING', timeline: ACCEPTED }),
      view({ state: 'PENDING', timeline: NOTICED }),
      view({ state: 'COMPLETED', timeline: COMPLETED, receipt: waiting }),
      view({ state: 'COMPLETED', timeline: COMPLETED, receipt: waiting, ledgerSeenAt: at(8) }),
      view({
        state: 'COMPLETED',
        timeline: COMPLETED,
        ledgerSeenAt: at(8),
        receipt: { id: 'r', state: 'READY', at: at(9) },
      }),
    ];
    expect(path.map((one) => codes(one).length)).toEqual([7, 7, 7, 7, 7, 7, 7]);
    expect(codes(path[2]!)).toEqual([
      'created',
      'queued',
      'sending',
      'accepted',
      'now_pending',
      'expected_ledger',
      'expected_receipt',
    ]);
    expect(codes(path[6]!)).toEqual([
      'created',
      'queued',
      'sending',
      'accepted',
      'completed',
      'ledger_seen',
      'receipt_ready',
    ]);
  });

  test('promises nothing once an answer was unclear', () => {
    const lost = timelineNodes(view({ state: 'UNKNOWN', timeline: LOST }));
    expect(lost.map((node) => node.code)).toEqual([
      'created',
      'queued',
      'sending',
      'no_answer',
      'now_unknown',
    ]);
    expect(lost.some((node) => node.kind === 'expected')).toBe(false);
  });

  test('names the second sending under the same reference as what it is', () => {
    const resent = [...LOST, entry(1900, 'claimed', 'UNKNOWN', 'SUBMITTING')];
    expect(codes(view({ state: 'SUBMITTING', timeline: resent }))).toContain('sending_again');
    expect(situationOf(view({ state: 'SUBMITTING', timeline: resent }))).toBe('sending_again');
  });

  test('an error after an unclear attempt is no end', () => {
    const refused = [
      ...LOST,
      entry(1900, 'claimed', 'UNKNOWN', 'SUBMITTING'),
      entry(1901, 'answer', 'SUBMITTING', 'UNKNOWN', { outcome: 'refused', code: '311' }),
    ];
    const node = timelineNodes(view({ state: 'UNKNOWN', timeline: refused })).find(
      (one) => one.answerCode === '311',
    );
    expect(node).toMatchObject({ code: 'proves_nothing', kind: 'branch' });
  });

  test('a clean refusal ended badly', () => {
    const refused = [
      ...SENT,
      entry(2, 'answer', 'SUBMITTING', 'REJECTED', { outcome: 'refused', code: '480' }),
    ];
    expect(timelineNodes(view({ state: 'REJECTED', timeline: refused })).at(-1)).toMatchObject({
      code: 'refused',
      kind: 'bad',
      answerCode: '480',
    });
  });

  test('a notice stands beside the answer it spoke of, before and after that is known', () => {
    const before = timelineNodes(view({ state: 'PENDING', timeline: NOTICED })).find(
      (node) => node.notice !== null,
    );
    expect(before).toMatchObject({ code: 'now_pending', notice: { hint: 'completed', at: at(4) } });
    const after = timelineNodes(view({ state: 'COMPLETED', timeline: COMPLETED })).find(
      (node) => node.notice !== null,
    );
    expect(after).toMatchObject({ code: 'completed', notice: { hint: 'completed' } });
  });

  test('a bank return is shown once, however often the ledger lists its credit', () => {
    const credit = (seconds: number): TimelineEntry =>
      entry(seconds, 'ledger', 'COMPLETED', 'COMPLETED');
    const returned = [
      ...COMPLETED,
      entry(60, 'notice', 'COMPLETED', 'COMPLETED', { hint: 'refunded' }),
      credit(61),
      credit(62),
    ];
    const shown = timelineNodes(
      view({
        state: 'COMPLETED',
        returned: 'CONFIRMED',
        returnedAt: at(61),
        timeline: returned,
        ledgerSeenAt: at(8),
      }),
    );
    expect(shown.filter((node) => node.kind === 'returned').map((node) => node.code)).toEqual([
      'notice_returned',
      'return_confirmed',
    ]);
    expect(shown.map((node) => node.code)).toContain('completed');
  });

  test('distances are told from six seconds on', () => {
    const nodes = timelineNodes(view({ state: 'UNKNOWN', timeline: LOST }));
    expect(nodes.map((node) => node.sincePrevious)).toEqual([null, null, null, 31, null]);
  });
});

describe('what is said in the first sentence', () => {
  test('of what two people ended as not paid it says that people ended it, never that the transfer failed', () => {
    expect(situationOf(view({ state: 'FAILED', reasonCode: 'people_said' }))).toBe('failed_said');
    expect(situationOf(view({ state: 'FAILED', reasonCode: null }))).toBe('failed');
  });

  test('nothing without a send is called unsent while a restore may have lost one, or a record contradicts it', () => {
    for (const [state, plain] of [
      ['DRAFT', 'draft'],
      ['AWAITING_APPROVAL', 'approval'],
      ['CANCELLED', 'cancelled'],
      ['EXPIRED', 'expired'],
    ] as const) {
      const ended = state === 'CANCELLED' || state === 'EXPIRED';
      const known = view({ state });
      expect([situationOf(known), isCopied(known)]).toEqual([plain, ended]);
      for (const doubt of [{ mayHaveLeft: true }, { alert: 'contradiction' }] as const) {
        const doubtful = view({ state, ...doubt });
        expect([situationOf(doubtful), isCopied(doubtful)]).toEqual([`${plain}_unproven`, false]);
      }
    }
  });

  test('of what was cancelled after the provider refused its request it is not said that nothing was sent', () => {
    const refused = view({ state: 'CANCELLED', sends: 1, ibanWaits: 1 });
    expect([situationOf(refused), isCopied(refused)]).toEqual(['cancelled_refused', false]);
    const unsent = view({ state: 'CANCELLED', sends: 1, notSentTries: 1 });
    expect([situationOf(unsent), isCopied(unsent)]).toEqual(['cancelled', true]);
  });

  test('of what was refused after a restore that may have lost a send it is not said that nothing was paid', () => {
    expect(situationOf(view({ state: 'REJECTED' }))).toBe('rejected');
    expect(situationOf(view({ state: 'REJECTED', mayHaveLeft: true }))).toBe('rejected_unproven');
  });

  test('a payout that waits names what it waits for', () => {
    expect(situationOf(view({}))).toBe('queued');
    expect(situationOf(view({ notSentTries: 2 }))).toBe('queued_unreachable');
    expect(situationOf(view({ isBatchHeld: true })), 'it does not leave in a moment').toBe(
      'queued_batch',
    );
    expect(
      situationOf(view({ alert: 'earlier_may_be_paid', waitsForPerson: true })),
      'no "send it" lets it leave',
    ).toBe('queued_earlier');
    expect(
      situationOf(
        view({
          notSentTries: 2,
          stop: { cause: 'person', reason: 'x', by: 'Selin', since: at(0) },
        }),
      ),
    ).toBe('queued_held');
    expect(
      situationOf(view({ waitsForPerson: true })),
      'it does not leave by itself when sending goes on',
    ).toBe('queued_confirm');
    expect(
      situationOf(
        view({
          waitsForPerson: true,
          stop: { cause: 'recovery', reason: 'x', by: null, since: at(0) },
        }),
      ),
    ).toBe('queued_confirm');
    const held = { cause: 'recovery', reason: 'x', by: null, since: at(0) } as const;
    for (const now of [
      {},
      { stop: held },
      { notSentTries: 2 },
      { alert: 'journal_unwritable' },
    ] as const) {
      expect(
        situationOf(view({ ...now, mayHaveLeft: true })),
        'after "send it" no sentence says that no money left',
      ).toBe('queued_confirmed');
    }
    expect(
      situationOf(
        view({
          timeline: [
            ...SENT,
            entry(2, 'answer', 'SUBMITTING', 'APPROVED', { outcome: 'same_iban_wait' }),
          ],
        }),
      ),
    ).toBe('queued_iban');
  });

  test('a reported return is not yet a return', () => {
    expect(situationOf(view({ state: 'COMPLETED', returned: 'REPORTED' }))).toBe('return_reported');
    expect(situationOf(view({ state: 'COMPLETED', returned: 'CONFIRMED' }))).toBe(
      'return_confirmed',
    );
  });

  test('nothing is settled while a receipt or a return is awaited', () => {
    const done = {
      state: 'COMPLETED',
      ledgerSeenAt: at(8),
      receipt: { id: 'r', state: 'READY', at: at(9) },
    } as const;
    expect(isSettled(view(done))).toBe(true);
    expect(isSettled(view({ ...done, receipt: waiting }))).toBe(false);
    expect(isSettled(view({ ...done, returned: 'REPORTED' }))).toBe(false);
    expect(isSettled(view({ state: 'UNKNOWN' }))).toBe(false);
  });
});
