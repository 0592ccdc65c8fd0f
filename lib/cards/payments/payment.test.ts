import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RecordOutcome } from '#lib/providers/card/types.ts';
import { learn, PAYMENT_STATES } from './payment.ts';
import type { KnownPayment } from './payment.ts';

const NOTHING: KnownPayment = {
  state: null,
  problem: null,
  amountMinor: null,
  chargedMinor: null,
  refundedMinor: null,
  card: null,
  orderId: null,
  transactionId: null,
  reason: null,
  settlesOn: null,
  installments: null,
  commissionMinor: null,
  planCode: null,
  refunds: [],
  heldSince: null,
  heldSeen: false,
  verifiedAt: null,
};
const NOW = Date.UTC(2026, 2, 6);

type Found = Extract<RecordOutcome, { kind: 'found' }>;
const record = (part: Partial<Found>): Found => ({
  kind: 'found',
  raw: null,
  state: 'completed',
  invoiceId: 'F-1',
  orderId: 'VP1',
  transactionId: null,
  amountMinor: 10_000n,
  chargedMinor: null,
  refundedMinor: null,
  refunds: [],
  card: '540667****1234',
  reason: null,
  settlesOn: null,
  installments: null,
  commissionMinor: null,
  buyerCommissionMinor: null,
  recurring: null,
  ...part,
});
const after = (...records: RecordOutcome[]): KnownPayment =>
  records.reduce((known, outcome) => learn(known, outcome, NOW), NOTHING);

describe('what is known of a card payment', () => {
  it('is the record, with four digits of the card', () => {
    expect(after(record({}))).toMatchObject({
      state: 'completed',
      amountMinor: 10_000n,
      card: '1234',
      orderId: 'VP1',
      problem: null,
    });
  });

  it('has no text that the database cannot hold', () => {
    const odd = record({
      state: 'partly_refunded',
      reason: 'limit\u0000',
      settlesOn: '\ud83d2026-03-09',
      refunds: [{ refundId: 'R-1', amountMinor: 1n, at: '\u00002026', status: 'İade \ud83d' }],
    });
    const known = after(odd);
    expect(JSON.stringify(known.refunds)).not.toMatch(/\\u(?:0000|d83d)/i);
    expect(known).toMatchObject({ reason: 'limit', settlesOn: '\ufffd2026-03-09' });
  });

  it('keeps the installments and the commission that a record named, and makes up neither', () => {
    expect(after(record({}))).toMatchObject({ installments: null, commissionMinor: null });
    const named = record({ installments: 3, commissionMinor: 0n });
    expect(after(named, record({}))).toMatchObject({ installments: 3, commissionMinor: 0n });
    expect(after(named, record({ commissionMinor: 250n }))).toMatchObject({
      commissionMinor: 250n,
    });
  });

  it('a hold that is taken in another panel is noticed', () => {
    expect(
      after(record({ state: 'held' }), record({ state: 'captured', chargedMinor: 7_000n })),
    ).toMatchObject({ state: 'captured', chargedMinor: 7_000n });
  });

  describe('charges the buyer’s commission to nobody who is refunded', () => {
    const hold = record({ state: 'held', chargedMinor: 10_250n });
    const part = record({ state: 'captured', chargedMinor: 4_250n });
    const named = { buyerCommissionMinor: 250n };
    it.each<[string, RecordOutcome[], bigint]>([
      ['named, of a partial capture', [hold, { ...part, ...named }], 4_000n],
      ['named, and never read while it was held', [{ ...part, ...named }], 4_000n],
      ['not named, but in what was held', [hold, part], 4_000n],
      ['not named any more', [hold, part, part], 4_000n],
      ['not named at first', [part, { ...part, ...named }], 4_000n],
      ['not named, and not in what was held', [record({ state: 'held' }), part], 4_250n],
      [
        'more than the charged amount: not in it',
        [{ ...part, buyerCommissionMinor: 4_250n }],
        4_250n,
      ],
      [
        'in a capture whose total is the ordered amount',
        [hold, record({ state: 'captured', chargedMinor: 10_000n, ...named })],
        9_750n,
      ],
      [
        'on top of the whole',
        [hold, record({ state: 'captured', chargedMinor: 10_250n })],
        10_250n,
      ],
      ['on top of a sale', [record({ chargedMinor: 10_250n, ...named })], 10_250n],
      ['of a sale, in no amount of it', [record({ chargedMinor: 10_000n, ...named })], 10_000n],
      [
        'of a sale that was refunded since',
        [
          record({ chargedMinor: 10_000n, ...named }),
          record({ state: 'partly_refunded', chargedMinor: 10_000n, ...named }),
        ],
        10_000n,
      ],
    ])('%s', (_what, records, chargedMinor) => {
      expect(after(...records)).toMatchObject({ chargedMinor, amountMinor: 10_000n });
    });

    it('corrects what was stored with it, while no authorization was read', () => {
      const stored = { ...after(record({ state: 'captured' })), chargedMinor: 4_250n };
      expect(learn(stored, { ...part, ...named }, NOW)).toMatchObject({ chargedMinor: 4_000n });
    });
  });

  describe('subtracts no named commission that the authorized amount did not contain', () => {
    const named = { buyerCommissionMinor: 250n };
    const hold = record({ state: 'held', chargedMinor: 10_000n, ...named });
    const capture = (chargedMinor: bigint): Found =>
      record({ state: 'captured', chargedMinor, ...named });
    const refund = (chargedMinor: bigint): Found =>
      record({ state: 'partly_refunded', chargedMinor, refundedMinor: 1_000n, ...named });
    const silent = record({ state: 'captured' });
    it.each<[string, RecordOutcome[], bigint]>([
      ['of a partial capture', [hold, capture(4_000n)], 4_000n],
      ['of the whole capture', [hold, capture(10_000n)], 10_000n],
      ['read again', [hold, capture(4_000n), capture(4_000n)], 4_000n],
      ['read after a refund', [hold, capture(4_000n), refund(4_000n), refund(4_000n)], 4_000n],
      ['of the whole, after a refund', [hold, capture(10_000n), refund(10_000n)], 10_000n],
      [
        'named only after the capture',
        [hold, record({ ...capture(4_000n), buyerCommissionMinor: null }), capture(4_000n)],
        4_000n,
      ],
      ['after a capture that named no amount', [hold, silent, capture(4_000n)], 4_000n],
      [
        'of an authorization without an amount: once',
        [record({ state: 'held' }), capture(4_250n), capture(4_250n), refund(4_250n)],
        4_000n,
      ],
      [
        'of an authorization that contained it: once',
        [
          record({ ...hold, chargedMinor: 10_250n }),
          capture(4_250n),
          capture(4_250n),
          refund(4_250n),
        ],
        4_000n,
      ],
    ])('%s', (_what, records, chargedMinor) => {
      expect(after(...records)).toMatchObject({
        chargedMinor,
        amountMinor: 10_000n,
        problem: null,
      });
    });
  });

  it('a hold that is read for the first time is of no age: nobody can say until when it may be taken', () => {
    expect(after(record({ state: 'held' }))).toMatchObject({ state: 'held', heldSince: null });
  });

  it('a capture that nobody saw held is not called one: a brand may write a mere hold the same way', () => {
    expect(after(record({ state: 'captured' })).state).toBe('maybe_captured');
  });

  it('an answer that is lost changes nothing but that it was lost', () => {
    const held = after(record({ state: 'held' }));
    expect(learn(held, { kind: 'no_answer', why: 'timeout', raw: null }, NOW)).toEqual({
      ...held,
      problem: 'no_answer',
    });
  });

  it.each(['failed', 'pending', 'held'] as const)(
    'a payment that was taken does not become %s: a person is told, and what was known stays',
    (state) => {
      expect(after(record({ state: 'completed' }), record({ state }))).toMatchObject({
        state: 'completed',
        problem: 'contradiction',
      });
    },
  );

  it('a record that has vanished, or is of another amount, is told to a person', () => {
    expect(after(record({}), { kind: 'not_found', raw: null })).toMatchObject({
      state: 'completed',
      problem: 'contradiction',
    });
    expect(after({ kind: 'not_found', raw: null })).toMatchObject({
      state: null,
      problem: 'not_found',
    });
    expect(after(record({}), { kind: 'no_answer', why: 'mismatch', raw: null })).toMatchObject({
      state: 'completed',
      problem: 'mismatch',
    });
  });

  it('refunds grow and never shrink', () => {
    const known = after(record({}), record({ state: 'partly_refunded', refundedMinor: 4_000n }));
    expect(known).toMatchObject({ state: 'partly_refunded', refundedMinor: 4_000n });
    expect(
      learn(known, record({ state: 'partly_refunded', refundedMinor: 3_000n }), NOW),
    ).toMatchObject({ refundedMinor: 4_000n, problem: 'contradiction' });
  });

  it('whatever it is, an end is not undone, the amount never changes and no more than four digits are kept', () => {
    const outcome = fc.oneof(
      fc
        .record({
          state: fc.constantFrom(
            'completed',
            'held',
            'captured',
            'pending',
            'failed',
            'cancelled',
            'refunded',
            'partly_refunded',
            'charged_back' as const,
          ),
          amount: fc.constantFrom(10_000n, null),
          refunded: fc.option(fc.bigInt(0n, 20_000n)),
          card: fc.option(fc.constantFrom('540667****1234', '5406670000001234', '****')),
        })
        .map(({ state, amount, refunded, card }): RecordOutcome =>
          record({
            state: state as Found['state'],
            amountMinor: amount,
            refundedMinor: refunded,
            card,
          }),
        ),
      fc.constantFrom<RecordOutcome>(
        { kind: 'not_found', raw: null },
        { kind: 'no_answer', why: 'timeout', raw: null },
        { kind: 'no_answer', why: 'mismatch', raw: null },
      ),
    );
    const ended = ['failed', 'cancelled', 'charged_back'];
    fc.assert(
      fc.property(fc.array(outcome, { maxLength: 12 }), (records) => {
        let known = NOTHING;
        for (const one of records) {
          const next = learn(known, one, NOW);
          if (known.state !== null && ended.includes(known.state))
            expect(next.state).toBe(known.state);
          if (known.amountMinor !== null) expect(next.amountMinor).toBe(known.amountMinor);
          if (known.heldSince !== null) expect(next.heldSince).toBe(known.heldSince);
          expect(next.card ?? '0000').toMatch(/^\d{4}$/);
          expect([null, ...PAYMENT_STATES]).toContain(next.state);
          known = next;
        }
      }),
      { numRuns: 500 },
    );
  });
});

it('a failed payment that the gateway no longer knows took no money: nothing contradicts it', () => {
  const gone = { kind: 'not_found', raw: null } as const;
  const failed: KnownPayment = { ...NOTHING, state: 'failed' };
  expect(learn(failed, gone, 1)).toMatchObject({ state: 'failed', problem: null });
  expect(learn({ ...failed, problem: 'contradiction' }, gone, 1)).toMatchObject({
    problem: 'contradiction',
  });
});
