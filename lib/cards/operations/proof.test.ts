import { describe, expect, test } from 'vitest';
import type { ChargeRecord, RecordOutcome } from '#lib/providers/card/types.ts';
import { answered, proven, provenRefused } from './proof.ts';
import type { Later, Sent } from './proof.ts';
import { aRecord } from './testing/payments.ts';

/** What the gateway's responses and records prove about a capture, a void and a refund. */

const SENT: Sent = {
  extId: 'OWN-1',
  amountMinor: 4_000n,
  currency: 'TRY',
  isAccepted: false,
  isRepeat: false,
  card: { paymentId: 'p', invoiceId: 'F-1', beforeMinor: 10_000n },
};
const REFUND: Sent = { ...SENT, card: { ...SENT.card, beforeMinor: 1_000n } };
const raw = { raw: '{}', code: null, message: null };
const level = (read: ReturnType<typeof proven>) =>
  read.kind === 'found' ? read.level : read.kind === 'no_answer' ? read.why : read.kind;
const row = (more: object = {}) => ({
  refundId: 'OWN-1',
  amountMinor: 4_000n,
  at: null,
  status: 'Completed',
  ...more,
});

describe('a capture', () => {
  test.each<[string, Partial<ChargeRecord>, string]>([
    ['still held: nothing is proven', { state: 'held' }, 'not_found'],
    ['taken, of our amount', { state: 'captured', chargedMinor: 4_000n }, 'completed'],
    ['taken and given back since', { state: 'refunded', chargedMinor: 4_000n }, 'completed'],
    ['taken, of another amount: a person', { state: 'captured', chargedMinor: 4_001n }, 'mismatch'],
    [
      'taken whole, where we took a part: a person',
      { state: 'captured', chargedMinor: 10_000n },
      'mismatch',
    ],
    [
      'taken, and the record does not say how much',
      { state: 'captured', chargedMinor: null },
      'unsaid',
    ],
    [
      'taken whole or in part by somebody, and the record does not say how much',
      { state: 'captured', chargedMinor: null, amountMinor: 4_000n },
      'unsaid',
    ],
    ['let go, or taken and voided since', { state: 'cancelled' }, 'unsaid'],
    ['failed', { state: 'failed' }, 'failed'],
    ['not finished', { state: 'pending' }, 'unsaid'],
  ])('%s', (_name, record, says) =>
    expect(level(proven('capture', SENT, aRecord(record)))).toBe(says),
  );

  test('with an accepted answer is done without the charged amount, and when it is voided later', () => {
    const accepted = { ...SENT, isAccepted: true };
    expect(
      level(
        proven(
          'capture',
          accepted,
          aRecord({ state: 'captured', chargedMinor: null, amountMinor: 4_000n }),
        ),
      ),
    ).toBe('completed');
    expect(
      level(proven('capture', accepted, aRecord({ state: 'captured', chargedMinor: null }))),
    ).toBe('unsaid');
    expect(level(proven('capture', accepted, aRecord({ state: 'cancelled' })))).toBe('completed');
  });

  test('a commission that the buyer pays comes on top, as it did while the amount was held', () => {
    const sent: Sent = { ...SENT, card: { ...SENT.card, beforeMinor: 10_250n } };
    expect(
      level(proven('capture', sent, aRecord({ state: 'captured', chargedMinor: 4_250n }))),
    ).toBe('completed');
    expect(
      level(proven('capture', SENT, aRecord({ state: 'captured', chargedMinor: 4_250n }))),
    ).toBe('mismatch');
  });
});

describe('a release', () => {
  test.each<[string, Partial<ChargeRecord>, string]>([
    ['still held: nothing is proven', { state: 'held' }, 'not_found'],
    ['cancelled', { state: 'cancelled' }, 'completed'],
    ['taken by somebody', { state: 'captured' }, 'failed'],
    ['not finished', { state: 'pending' }, 'unsaid'],
  ])('%s', (_name, record, says) =>
    expect(level(proven('release', SENT, aRecord(record)))).toBe(says),
  );
});

describe('a refund', () => {
  test('whose request arrived twice is judged by the row that is not declined', () => {
    const rows = (...statuses: string[]) => statuses.map((status) => row({ status }));
    for (const refunds of [rows('Failed', 'Completed'), rows('Completed', 'Failed')])
      expect(level(proven('refund', REFUND, aRecord({ refundedMinor: 5_000n, refunds })))).toBe(
        'completed',
      );
    const waiting = aRecord({ refundedMinor: 1_000n, refunds: rows('Failed', 'Pending') });
    expect(level(proven('refund', REFUND, waiting))).toBe('pending');
    const declined = aRecord({ refundedMinor: 1_000n, refunds: rows('Failed', 'Rejected') });
    expect(level(proven('refund', REFUND, declined))).toBe('failed');
  });

  test('sent again after a restore is not ended by one declined row, which may be the lost request’s', () => {
    const repeat = { ...REFUND, isRepeat: true };
    const rows = (...statuses: string[]) =>
      aRecord({ refundedMinor: 1_000n, refunds: statuses.map((status) => row({ status })) });
    expect(level(proven('refund', repeat, rows('Rejected')))).toBe('unsaid');
    expect(level(proven('refund', repeat, rows('Rejected', 'Failed')))).toBe('failed');
    expect(level(proven('refund', repeat, rows('Rejected', 'Pending')))).toBe('pending');
  });

  test.each<[string, Partial<ChargeRecord>, string]>([
    ['its own row is done', { refundedMinor: 5_000n, refunds: [row()] }, 'completed'],
    [
      'its own row waits for people',
      { refundedMinor: 1_000n, refunds: [row({ status: 'Pending' })] },
      'pending',
    ],
    [
      'its own row failed',
      { refundedMinor: 1_000n, refunds: [row({ status: 'Failed' })] },
      'failed',
    ],
    [
      'its own row is of another amount: a person',
      { refundedMinor: 5_000n, refunds: [row({ amountMinor: 4_001n })] },
      'mismatch',
    ],
    [
      'its own row says a word that nobody knows, and the total agrees',
      { refundedMinor: 5_000n, refunds: [row({ status: 'İşlendi' })] },
      'completed',
    ],
    [
      'its own row says a word that nobody knows, and the total does not',
      { refundedMinor: 1_000n, refunds: [row({ status: 'İşlendi' })] },
      'unsaid',
    ],
    ['no rows, and the total grew by it', { refundedMinor: 5_000n }, 'completed'],
    [
      'no rows, and the total is what it was: nothing is proven',
      { refundedMinor: 1_000n },
      'not_found',
    ],
    ['no rows, and the total grew by less: a person', { refundedMinor: 4_999n }, 'mismatch'],
    ['no rows, and the total grew by more: a person', { refundedMinor: 9_000n }, 'mismatch'],
    ['no rows and no total', { refundedMinor: null }, 'unsaid'],
    [
      'rows of others alone, and the total grew by it: somebody else gave it back',
      { refundedMinor: 5_000n, refunds: [row({ refundId: 'OTHER' })] },
      'mismatch',
    ],
    [
      'rows of others alone, and the total is what it was',
      { refundedMinor: 1_000n, refunds: [row({ refundId: 'OTHER', amountMinor: 1_000n })] },
      'not_found',
    ],
  ])('%s', (_name, record, says) =>
    expect(level(proven('refund', REFUND, aRecord({ state: 'partly_refunded', ...record })))).toBe(
      says,
    ),
  );

  const listed = { ...REFUND, card: { ...REFUND.card, refundIdsBefore: ['OLD'] } };
  const old = row({ refundId: 'OLD', amountMinor: 1_000n });
  const theirs = row({ refundId: 'THEIRS' });
  test.each<[string, Partial<ChargeRecord>, string]>([
    [
      "a new row of our amount under the gateway's number, and the total grew by it",
      { refundedMinor: 5_000n, refunds: [old, theirs] },
      'completed',
    ],
    [
      'a new row of another amount: a person',
      { refundedMinor: 5_000n, refunds: [old, row({ refundId: 'THEIRS', amountMinor: 3_000n })] },
      'mismatch',
    ],
    [
      'a new row of our amount, and the total grew by more: a person',
      { refundedMinor: 9_000n, refunds: [old, theirs] },
      'mismatch',
    ],
    [
      'two new rows of our amount, and one of them is ours at most: a person',
      { refundedMinor: 5_000n, refunds: [old, theirs, row({ refundId: 'TOO' })] },
      'mismatch',
    ],
    [
      'a row that was there before, and is only done now: a person',
      { refundedMinor: 5_000n, refunds: [row({ refundId: 'OLD' })] },
      'mismatch',
    ],
    [
      'a new row of our amount, and the total is what it was: nobody can say whose it is',
      { refundedMinor: 1_000n, refunds: [old, theirs] },
      'unsaid',
    ],
    [
      'a new row of another amount, and the total is what it was',
      { refundedMinor: 1_000n, refunds: [old, row({ refundId: 'THEIRS', amountMinor: 7n })] },
      'not_found',
    ],
  ])('whose rows of before are known: %s', (_name, record, says) =>
    expect(level(proven('refund', listed, aRecord({ state: 'partly_refunded', ...record })))).toBe(
      says,
    ),
  );
});

test.each<RecordOutcome>([
  { kind: 'not_found', raw: null },
  { kind: 'no_answer', why: 'timeout', raw: null },
  { kind: 'no_answer', why: 'mismatch', raw: null },
])(
  'a record that is gone or silent proves nothing, not even that nothing was done: %j',
  (record) => {
    for (const operation of ['capture', 'release', 'refund'] as const)
      expect(proven(operation, SENT, record).kind).toBe('no_answer');
  },
);

test('an answer is at most an acceptance: done and manual are pending, a record code causes a look', () => {
  expect(answered(SENT, { ...raw, kind: 'confirmed', orderId: 'VP-1' })).toMatchObject({
    kind: 'accepted',
    extId: 'OWN-1',
    amountMinor: 4_000n,
    requestId: 'VP-1',
  });
  expect(
    answered(SENT, { ...raw, kind: 'refunded', orderId: null, refundNumber: '1' }),
  ).toMatchObject({ kind: 'accepted', requestId: 'F-1' });
  expect(answered(SENT, { ...raw, code: '101', kind: 'pending' })).toMatchObject({
    kind: 'accepted',
  });
  for (const code of ['49', '104', '113'])
    expect(answered(SENT, { ...raw, code, kind: 'look' })).toMatchObject({ kind: 'record_exists' });
  expect(answered(SENT, { ...raw, kind: 'unclear', why: 'timeout' })).toMatchObject({
    kind: 'unclear',
  });
  expect(answered(SENT, { ...raw, code: '110', kind: 'refused' })).toMatchObject({
    kind: 'refused',
    code: '110',
  });
});

describe('what the gateway refused', () => {
  const theirs = (total: bigint): Partial<ChargeRecord> => ({
    refundedMinor: total,
    refunds: [row({ refundId: 'THEIRS' })],
  });
  const later = (more: Partial<Later> = {}): Later => ({
    amountMinor: 4_000n,
    beforeMinor: 1_000n,
    isOpen: false,
    ...more,
  });

  test.each<[string, Partial<ChargeRecord>, Later[], string]>([
    ['listed by our number', { refundedMinor: 5_000n, refunds: [row()] }, [], 'completed'],
    [
      'listed by our number beside a later one',
      { refundedMinor: 9_000n, refunds: [row()] },
      [later()],
      'completed',
    ],
    [
      'listed by our number as waiting',
      { refundedMinor: 1_000n, refunds: [row({ status: 'Pending' })] },
      [],
      'pending',
    ],
    ['a total grown by our amount', theirs(5_000n), [], 'completed'],
    ['a total grown by more than our amount', theirs(5_500n), [], 'completed'],
    ['a total grown by less than our amount: somebody else', theirs(4_999n), [], 'not_found'],
    ['a total grown by a later one of ours', theirs(5_000n), [later()], 'not_found'],
    ['a total grown by ours and by a later one', theirs(9_000n), [later()], 'completed'],
    [
      'a total that an open one may have grown',
      theirs(5_000n),
      [later({ isOpen: true })],
      'unsaid',
    ],
    [
      'a total that had grown before an open one',
      theirs(9_000n),
      [later({ isOpen: true, beforeMinor: 5_000n })],
      'completed',
    ],
    ['a record without a total', { refundedMinor: null }, [], 'not_found'],
  ])('as a refund, %s', (_name, record, others, says) =>
    expect(level(provenRefused('refund', REFUND, aRecord(record), others))).toBe(says),
  );

  test('as a capture is contradicted by a capture of its amount, unless a later one of ours explains it', () => {
    const taken = aRecord({ state: 'captured', chargedMinor: 4_000n });
    expect(level(provenRefused('capture', SENT, taken, []))).toBe('completed');
    expect(level(provenRefused('capture', SENT, taken, [later()]))).toBe('not_found');
    expect(
      level(
        provenRefused('capture', SENT, aRecord({ state: 'captured', chargedMinor: 10_000n }), []),
      ),
    ).toBe('not_found');
  });

  test('is not spoken of by a record that nobody could read', () => {
    expect(
      level(provenRefused('refund', REFUND, { kind: 'no_answer', why: 'timeout', raw: null }, [])),
    ).toBe('timeout');
  });

  test('is not confirmed by an order that the gateway does not find: the look is made again', () => {
    for (const operation of ['capture', 'release', 'refund'] as const)
      expect(provenRefused(operation, REFUND, { kind: 'not_found', raw: '{}' }, [])).toEqual({
        kind: 'no_answer',
        why: 'order_not_found',
        raw: '{}',
      });
  });

  test('is not confirmed by its own row under a status that no table names: the look is made again', () => {
    const refunds = [row({ status: 'İşlendi' })];
    for (const others of [[], [later()], [later({ isOpen: true })]])
      expect(
        level(provenRefused('refund', REFUND, aRecord({ refundedMinor: 1_000n, refunds }), others)),
      ).toBe('unsaid');
    expect(
      level(provenRefused('refund', REFUND, aRecord({ refundedMinor: null, refunds }), [])),
    ).toBe('unsaid');
  });

  test('is not cleared by a record of something else: the look counts as unanswered and is made again', () => {
    for (const operation of ['capture', 'release', 'refund'] as const) {
      expect(
        provenRefused(operation, REFUND, { kind: 'no_answer', why: 'mismatch', raw: '{}' }, []),
      ).toEqual({ kind: 'no_answer', why: 'unsaid', raw: '{}' });
    }
  });
});
