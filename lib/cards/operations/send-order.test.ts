import { describe, expect, it } from 'vitest';
import type { Begun } from '#lib/begin-check/begin-check.ts';
import type { SendEffect } from '#lib/movements/one-step.ts';
import type { KnownPayment } from '../payments/payment.ts';
import type { RecordOutcome } from '#lib/providers/card/types.ts';
import type { Operation } from './operation.ts';
import { sendCardOperation } from './send-order.ts';
import type { Queried } from './send-order.ts';

/** The order of effects of a card operation, and what follows from each result. */

const SENT = {
  extId: 'R1',
  amountMinor: 4_000n,
  currency: 'TRY',
  isAccepted: false,
  isRepeat: false,
  card: { paymentId: 'p', invoiceId: 'i', beforeMinor: 0n },
};
const KNOWN: KnownPayment = {
  state: 'completed',
  problem: null,
  amountMinor: 12_340n,
  chargedMinor: null,
  refundedMinor: 0n,
  currency: 'TRY',
  heldSince: null,
  heldSeen: false,
} as unknown as KnownPayment;
const FINE: Begun = {
  row: 'own',
  stopped: false,
  checkpoint: 'present',
  account: 'bound',
  confirmed: true,
  journal: 'written',
};
const NOTHING_NEW = { raw: '{}', code: '49', message: null, kind: 'look' };

function record(more: object = {}): RecordOutcome {
  return {
    kind: 'found',
    raw: '{}',
    state: 'completed',
    invoiceId: 'i',
    orderId: 'o',
    transactionId: null,
    amountMinor: 12_340n,
    chargedMinor: null,
    refundedMinor: 0n,
    refunds: [],
    card: null,
    reason: null,
    settlesOn: null,
    installments: null,
    commissionMinor: null,
    buyerCommissionMinor: null,
    recurring: null,
    ...more,
  } as RecordOutcome;
}

/** Runs the order of effects with these records, one for each query. */
function play(
  records: RecordOutcome[],
  given: {
    operation?: Operation;
    answer?: object;
    restored?: boolean;
    renewed?: boolean;
    known?: Partial<KnownPayment>;
  } = {},
): { kinds: string[]; outcome: object } {
  const at = { monotonic: 0, wall: 0 };
  const order = sendCardOperation(
    'task',
    { operation: given.operation ?? 'refund', sent: SENT },
    { began: at, clocks: () => at },
  );
  const kinds: string[] = [];
  let next = order.next();
  while (!next.done) {
    kinds.push(next.value.kind);
    next = order.next(resultOf(next.value));
  }
  return { kinds, outcome: next.value };

  function resultOf(effect: SendEffect<string>): unknown {
    switch (effect.kind) {
      case 'query':
        return {
          known: { ...KNOWN, ...given.known },
          record: records.shift()!,
          at: 0,
          restored: given.restored ?? false,
        } satisfies Queried;
      case 'begin':
        return FINE;
      case 'request':
        return given.answer ?? NOTHING_NEW;
      case 'renew':
        return given.renewed ?? true;
      case 'rest':
        return undefined;
    }
  }
}

describe('a refund that the gateway calls failed (49)', () => {
  it('is refused only when its record shows nothing new at once, and again when the time for repeats is over', () => {
    expect(play([record(), record(), record()])).toMatchObject({
      kinds: ['query', 'begin', 'request', 'query', 'renew', 'rest', 'renew', 'query'],
      outcome: { kind: 'refused', code: '49' },
    });
  });

  it('is unknown when a record that lags shows it the second time', () => {
    expect(play([record(), record(), record({ refundedMinor: 4_000n })]).outcome).toMatchObject({
      kind: 'record_exists',
    });
  });

  it('is unknown when the second record cannot be read, or its lease is over by then', () => {
    expect(
      play([record(), record(), { kind: 'no_answer', why: 'timeout', raw: null }]).outcome,
    ).toMatchObject({ kind: 'record_exists' });
    expect(play([record(), record(), record()], { renewed: false }).outcome).toMatchObject({
      kind: 'record_exists',
    });
  });
});

describe('an operation that is older than a recovery', () => {
  it.each<[string, Operation, object, Partial<KnownPayment>]>([
    ['a refund in the total, without rows', 'refund', { refundedMinor: 4_000n }, {}],
    [
      'a refund that took all that was left',
      'refund',
      { refundedMinor: 12_340n, state: 'refunded' },
      {},
    ],
    ['a capture', 'capture', { state: 'completed' }, { state: 'held' }],
    ['a void', 'release', { state: 'cancelled' }, { state: 'held' }],
  ])(
    'is unknown, never refused, when its record shows what may be it: %s',
    (_what, operation, shown, known) => {
      expect(play([record(shown)], { operation, restored: true, known })).toEqual({
        kinds: ['query'],
        outcome: { kind: 'record_exists', code: null, message: null, raw: '{}' },
      });
      expect(
        play([record(shown)], { operation, known }).outcome,
        'without a recovery somebody else did it',
      ).toMatchObject({ kind: 'refused' });
    },
  );

  it('is sent when its record shows nothing new', () => {
    expect(
      play([record()], {
        restored: true,
        answer: { ...NOTHING_NEW, kind: 'unclear', why: 'timeout' },
      }).kinds,
    ).toEqual(['query', 'begin', 'request']);
  });
});
