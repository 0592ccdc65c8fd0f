import { describe, expect, test } from 'vitest';
import type { ChargeRecord, RecordOutcome } from '#lib/providers/card/words.ts';
import { answered, proven } from './proof.ts';
import type { Sent } from './proof.ts';
import { aRecord } from './testing/payments.ts';

/** What the gateway's answers and records prove of a capture, a release and a refund. */

const SENT: Sent = { extId: 'OWN-1', amountMinor: 4_000n, currency: 'TRY', card: { paymentId: 'p', invoiceId: 'F-1', beforeMinor: 10_000n } };
const REFUND: Sent = { ...SENT, card: { ...SENT.card, beforeMinor: 1_000n } };
const raw = { raw: '{}', code: null, message: null };
const level = (read: ReturnType<typeof proven>) => (read.kind === 'found' ? read.level : read.kind === 'no_answer' ? read.why : read.kind);
const row = (more: object = {}) => ({ refundId: 'OWN-1', amountMinor: 4_000n, at: null, status: 'Completed', ...more });

describe('a capture', () => {
  test.each<[string, Partial<ChargeRecord>, string]>([
    ['still held: nothing is proven', { state: 'held' }, 'not_found'],
    ['taken, of our amount', { state: 'captured', chargedMinor: 4_000n }, 'completed'],
    ['taken and given back since', { state: 'refunded', chargedMinor: 4_000n }, 'completed'],
    ['taken, of another amount: a person', { state: 'captured', chargedMinor: 4_001n }, 'mismatch'],
    ['taken whole, where we took a part: a person', { state: 'captured', chargedMinor: 10_000n }, 'mismatch'],
    ['taken, and the record does not say how much', { state: 'captured', chargedMinor: null }, 'unsaid'],
    ['let go', { state: 'cancelled' }, 'failed'],
    ['not finished', { state: 'pending' }, 'unsaid'],
  ])('%s', (_name, record, says) => expect(level(proven('capture', SENT, aRecord(record)))).toBe(says));

  test('a commission that the buyer pays comes on top, as it did while the amount was held', () => {
    const sent: Sent = { ...SENT, card: { ...SENT.card, beforeMinor: 10_250n } };
    expect(level(proven('capture', sent, aRecord({ state: 'captured', chargedMinor: 4_250n })))).toBe('completed');
    expect(level(proven('capture', SENT, aRecord({ state: 'captured', chargedMinor: 4_250n })))).toBe('mismatch');
  });
});

describe('a release', () => {
  test.each<[string, Partial<ChargeRecord>, string]>([
    ['still held: nothing is proven', { state: 'held' }, 'not_found'], ['cancelled', { state: 'cancelled' }, 'completed'], ['taken by somebody', { state: 'captured' }, 'failed'], ['not finished', { state: 'pending' }, 'unsaid'],
  ])('%s', (_name, record, says) => expect(level(proven('release', SENT, aRecord(record)))).toBe(says));
});

describe('a refund', () => {
  test.each<[string, Partial<ChargeRecord>, string]>([
    ['its own row is done', { refundedMinor: 5_000n, refunds: [row()] }, 'completed'],
    ['its own row waits for people', { refundedMinor: 1_000n, refunds: [row({ status: 'Pending' })] }, 'pending'],
    ['its own row failed', { refundedMinor: 1_000n, refunds: [row({ status: 'Failed' })] }, 'failed'],
    ['its own row is of another amount: a person', { refundedMinor: 5_000n, refunds: [row({ amountMinor: 4_001n })] }, 'mismatch'],
    ['its own row says a word that nobody knows, and the total agrees', { refundedMinor: 5_000n, refunds: [row({ status: 'İşlendi' })] }, 'completed'],
    ['its own row says a word that nobody knows, and the total does not', { refundedMinor: 1_000n, refunds: [row({ status: 'İşlendi' })] }, 'unsaid'],
    ['no rows, and the total grew by it', { refundedMinor: 5_000n }, 'completed'],
    ['no rows, and the total is what it was: nothing is proven', { refundedMinor: 1_000n }, 'not_found'],
    ['no rows, and the total grew by less: a person', { refundedMinor: 4_999n }, 'mismatch'],
    ['no rows, and the total grew by more: a person', { refundedMinor: 9_000n }, 'mismatch'],
    ['no rows and no total', { refundedMinor: null }, 'unsaid'],
    ['rows of others alone, and the total grew by it: somebody else gave it back', { refundedMinor: 5_000n, refunds: [row({ refundId: 'OTHER' })] }, 'mismatch'],
    ['rows of others alone, and the total is what it was', { refundedMinor: 1_000n, refunds: [row({ refundId: 'OTHER', amountMinor: 1_000n })] }, 'not_found'],
  ])('%s', (_name, record, says) => expect(level(proven('refund', REFUND, aRecord({ state: 'partly_refunded', ...record })))).toBe(says));
});

test.each<RecordOutcome>([{ kind: 'not_found', raw: null }, { kind: 'no_answer', why: 'timeout', raw: null }, { kind: 'no_answer', why: 'mismatch', raw: null }])('a record that is gone or silent proves nothing, not even that nothing was done: %j', (heard) => {
  for (const operation of ['capture', 'release', 'refund'] as const) expect(proven(operation, SENT, heard).kind).toBe('no_answer');
});

test('an answer is an acceptance at most: done and taken down by hand are on their way, a code that speaks of a record makes us look', () => {
  expect(answered(SENT, { ...raw, kind: 'confirmed', orderId: 'VP-1' })).toMatchObject({ kind: 'accepted', extId: 'OWN-1', amountMinor: 4_000n, requestId: 'VP-1' });
  expect(answered(SENT, { ...raw, kind: 'refunded', orderId: null, refundNumber: '1' })).toMatchObject({ kind: 'accepted', requestId: 'F-1' });
  expect(answered(SENT, { ...raw, code: '101', kind: 'pending' })).toMatchObject({ kind: 'accepted' });
  for (const code of ['49', '104', '113']) expect(answered(SENT, { ...raw, code, kind: 'look' })).toMatchObject({ kind: 'record_exists' });
  expect(answered(SENT, { ...raw, kind: 'unclear', why: 'timeout' })).toMatchObject({ kind: 'unclear' });
  expect(answered(SENT, { ...raw, code: '110', kind: 'refused' })).toMatchObject({ kind: 'refused', code: '110' });
});
