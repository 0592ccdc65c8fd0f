/**
 * Answers as no gateway should write them: every field of every sample answer missing, null, of another type, with another code, with
 * 19 digits, cut off. Whatever comes: no crash, no final state from an unknown code, no id and no amount changed.
 */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readDecimal } from '#lib/money.ts';
import { cardOrder } from './bank-page-fixture.ts';
import { clientOf, gatewayHash, heard } from './client-fixture.ts';
import { CARD_CODES } from './codes.ts';
import { TypedCard } from './typed-card.ts';
import type { RecordOutcome, Said } from './words.ts';

const rawJson = (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON;
const ORDER = cardOrder({ invoiceId: '9007199254740993001' });
const HOLD = { ...ORDER, hold: true };
const CARD = new TypedCard({ holder: 'Işık Öğüt', number: '4508034508034509', expiryMonth: '12', expiryYear: '2030', securityCode: '123' });
const SAVED = { ...ORDER, cardToken: 'TOKEN1', customer: { number: '9007199254740993001', email: 'a@desk.test', phone: '05', name: 'I' }, ip: '203.0.113.7', cardProgram: 'BONUS' as const };
const WAITING = { ...ORDER, orderId: '9007199254740993777', hold: false };
const SENDING = { beforeWrite: () => true };

type Made = ReturnType<typeof clientOf>['made'];
type Outcome = RecordOutcome | (Said & { kind: string; orderId?: string | null; refundNumber?: string | null });
type Sample = { name: string; ask: (made: Made) => Promise<Outcome>; body: Record<string, unknown>; success: string; final: readonly string[]; table: ReadonlyMap<string, string> };

/** As the contract shows it; ids with 19 digits, as text and as number. */
const result = (more: object = {}) => ({
  svc_status: 1, order_no: '9007199254740993777', order_id: rawJson('9007199254740993777'), invoice_id: ORDER.invoiceId, status_code: 100, status_description: 'Onaylandı', svc_payment_method: 1, credit_card_no: '450803******4509',
  transaction_type: 'Auth', payment_status: '1', payment_method: 1, error_code: '100', error: 'Onaylandı', auth_code: '001482', amount: '123.40', installment: 1,
  hash_key: gatewayHash('1', '123.40', ORDER.invoiceId, '9007199254740993777', 'TRY'), ...more,
});
const record = (more: object = {}) => ({
  status_code: 100, status_description: 'ok', transaction_status: 'Completed', order_id: rawJson('9007199254740993777'), invoice_id: ORDER.invoiceId, transaction_id: '9007199254740993888', message: 'm', reason: '',
  bank_status_code: '00', bank_status_description: '', transaction_type: 'Auth', product_price: '123.40', transaction_amount: rawJson('123.40'), total_refunded_amount: rawJson('0.00'), cc_no: '450803******4509', settlement_date: '2026-11-22',
  installment: 1, recurring_id: rawJson('9007199254740993999'), recurring_plan_code: 'PLAN1', next_action_date: '2026-12-21 10:00:00', recurring_status: 'Active', ...more,
});
const paid = (more: object = {}) => ({ status_code: 100, status_description: 'Onaylandı', data: result(more) });
const confirmed = { status_code: 100, status_description: 'ok', transaction_status: 'Completed', order_id: '9007199254740993777', invoice_id: ORDER.invoiceId };
const refunded = { status_code: '100', status_description: 'ok', order_no: '9007199254740993777', invoice_id: rawJson(ORDER.invoiceId), ref_no: rawJson('9007199254740993555'), ref_number: '' };
const refusal = { status_code: 41, status_description: 'Ödeme başarısız' };

const RECORD_FINAL = ['found'];
const read = (made: Made) => made.readRecord(ORDER);
const SAMPLES: Sample[] = [
  { name: 'paySmart2D', ask: (made) => made.payByCard(ORDER, CARD, SENDING), body: paid(), success: 'approved', final: ['approved', 'refused'], table: CARD_CODES.charge },
  { name: 'paySmart2D, held', ask: (made) => made.payByCard(HOLD, CARD, SENDING), body: paid({ transaction_type: 'Pre-Authorization' }), success: 'approved', final: ['approved', 'refused'], table: CARD_CODES.charge },
  { name: 'paySmart2D, refused', ask: (made) => made.payByCard(ORDER, CARD, SENDING), body: refusal, success: 'refused', final: ['approved', 'refused'], table: CARD_CODES.charge },
  { name: 'payByCardTokenNonSecure', ask: (made) => made.payBySavedCard(SAVED, SENDING), body: paid(), success: 'approved', final: ['approved', 'refused'], table: CARD_CODES.charge },
  { name: 'payment/complete', ask: (made) => made.completePayment(WAITING, 'complete', SENDING), body: paid({ status: 'Completed' }), success: 'approved', final: ['approved', 'refused'], table: CARD_CODES.complete },
  { name: 'payment/complete, called off', ask: (made) => made.completePayment(WAITING, 'cancel', SENDING), body: paid({ payment_status: 0, svc_status: 0 }), success: 'called_off', final: ['called_off', 'refused'], table: CARD_CODES.complete },
  { name: 'confirmPayment, capture', ask: (made) => made.captureHold({ ...WAITING, amountMinor: 5_000n }, SENDING), body: confirmed, success: 'confirmed', final: ['confirmed', 'refused'], table: CARD_CODES.confirm },
  { name: 'confirmPayment, release', ask: (made) => made.releaseHold(WAITING, SENDING), body: { ...confirmed, transaction_status: 'Cancelled' }, success: 'confirmed', final: ['confirmed', 'refused'], table: CARD_CODES.confirm },
  { name: 'refund', ask: (made) => made.refundPayment({ ...WAITING, refundId: 'R-1' }, SENDING), body: refunded, success: 'refunded', final: ['refunded', 'refused'], table: CARD_CODES.refund },
  { name: 'refund, by hand', ask: (made) => made.refundPayment({ ...WAITING, refundId: 'R-1' }, SENDING), body: { ...refunded, status_code: 101 }, success: 'pending', final: ['refunded', 'refused'], table: CARD_CODES.refund },
  ...([
    ['Completed', 'Auth', 100], ['Completed', 'Pre-Authorization', 100], ['Pre-Authorized', 'Pre-Authorization', 100], ['Cancelled', 'Pre-Authorization', 100], ['Refunded', 'Auth', 100], ['Partially Refunded', 'Auth', '100'],
    ['Failed', 'Auth', 41], ['Pending', 'Auth', 69],
  ] as const).map(([word, type, code]): Sample => ({ name: `checkstatus, ${word} ${type}`, ask: read, body: record({ transaction_status: word, transaction_type: type, status_code: code }), success: 'found', final: RECORD_FINAL, table: CARD_CODES.record })),
];

/** Texts of JSON that stand where something else should. */
const STRANGE = [
  'null', 'true', 'false', '""', '" "', '"x"', '0', '1', '2', '-1', '41', '100', '"0"', '"1"', '"41"', '"100"', '1e2', '100.0', '1.0', '123.4', '123.40', '"123.4"', '123.405', '"1.234,50"', '12340', '99999999999999999.99', '1e400', '-123.40',
  '9007199254740993001', '"9007199254740993001"', '9007199254740993002', '"9007199254740993777"', '9007199254740993778', '[]', '[1]', '{}', '{"a":1}', '[[]]', '"Completed"', '"completed"', '"Failed"', '"Unknown"', '"Something new"', '"Auth"',
  `"${'x'.repeat(5_000)}"`, '"\\u0000"', '"\\ud800"', '"450803450803450945"',
];

type Path = readonly string[];

function* paths(value: unknown, at: Path = []): Generator<Path> {
  if (typeof value !== 'object' || value === null || 'rawJSON' in value) return;
  for (const [key, below] of Object.entries(value)) {
    yield [...at, key];
    yield* paths(below, [...at, key]);
  }
}

/** The body with `text` in the place of one field; without the field when `text` is undefined. */
function mutate(body: Record<string, unknown>, [key = '', ...rest]: Path, text: string | undefined): Record<string, unknown> {
  if (rest.length > 0) return { ...body, [key]: mutate(body[key] as Record<string, unknown>, rest, text) };
  const { [key]: _old, ...others } = body;
  return text === undefined ? others : { ...body, [key]: text.startsWith('{') || text.startsWith('[') || text.startsWith('"') ? (JSON.parse(text) as unknown) : rawJson(text) };
}

/** What the text says under a name, read without our decoders: the digits as they were written, or the text. */
function said(text: string, ...names: string[]): string[] {
  const found: string[] = [];
  const reviver = (key: string, value: unknown, context: { source?: string }): unknown => {
    if (names.includes(key) && (typeof value === 'number' || typeof value === 'string')) found.push(typeof value === 'number' ? (context.source ?? '') : value);
    return value;
  };
  (JSON.parse as (text: string, reviver: unknown) => unknown)(text, reviver);
  return found;
}

const minorOf = (texts: string[]): (bigint | null)[] => texts.map((text) => readDecimal(text));

/** One client for all: its token is asked for once. */
let answer = heard(200, '');
const { made } = clientOf([() => answer]);

const hear = (sample: Sample, text: string, status = 200): Promise<Outcome> => {
  answer = heard(status, text);
  return sample.ask(made);
};

async function judge(sample: Sample, text: string): Promise<Outcome> {
  const outcome = await hear(sample, text);
  // Plain checks: tens of thousands of answers are judged.
  const must = (isTrue: boolean, what: string): void => {
    if (!isTrue) throw new Error(`${what}: ${JSON.stringify(outcome, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value))} for ${text}`);
  };
  if (sample.final.includes(outcome.kind)) {
    // The code stands at the top, or the gateway said nothing.
    const parsed = JSON.parse(text) as Record<string, unknown>;
    const [code = ''] = said(JSON.stringify({ status_code: parsed['status_code'] }), 'status_code');
    const meaning = sample.table.get(code);
    must(outcome.kind === 'found' ? meaning !== undefined : meaning === (outcome.kind === 'refused' ? 'refused' : 'approved'), 'final without its code');
  }
  if (outcome.kind === 'found') {
    const found = outcome as Extract<RecordOutcome, { kind: 'found' }>;
    const word = said(text, 'transaction_status')[0]?.trim().toLowerCase() ?? '';
    must(found.invoiceId === ORDER.invoiceId && said(text, 'invoice_id').includes(found.invoiceId), 'another invoice');
    must(found.orderId === null || said(text, 'order_id').includes(found.orderId), 'order id changed');
    must(found.transactionId === null || said(text, 'transaction_id').includes(found.transactionId), 'transaction id changed');
    must(found.recurring === null || said(text, 'recurring_plan_code').includes(found.recurring.planCode), 'plan code changed');
    must(found.recurring === null || found.recurring.id === null || said(text, 'recurring_id').includes(found.recurring.id), 'plan id changed');
    must(found.amountMinor === ORDER.amountMinor, 'another amount');
    must(found.chargedMinor === null || minorOf(said(text, 'transaction_amount')).includes(found.chargedMinor), 'charged amount changed');
    must(found.refundedMinor === null || minorOf(said(text, 'total_refunded_amount')).includes(found.refundedMinor), 'refunded amount changed');
    must(found.state === 'pending' || CARD_CODES.states.has(word), 'a state from an unknown word');
  } else if ('orderId' in outcome && typeof outcome.orderId === 'string') {
    must(said(text, 'order_id', 'order_no').includes(outcome.orderId), 'order id changed');
    must(said(text, 'invoice_id').includes(ORDER.invoiceId), 'another invoice');
    must(outcome.kind !== 'approved' || outcome.orderId === '9007199254740993777', 'another order');
    must(!('refundNumber' in outcome) || typeof outcome.refundNumber !== 'string' || said(text, 'ref_no', 'ref_number').includes(outcome.refundNumber), 'refund number changed');
  }
  return outcome;
}

describe.each(SAMPLES)('the answer to $name', (sample) => {
  const all = [...paths(sample.body)];

  test('is read as it is', async () => {
    expect((await judge(sample, JSON.stringify(sample.body))).kind).toBe(sample.success);
  });

  test('with any field missing or strange proves nothing it should not', async () => {
    for (const path of all) for (const text of [undefined, ...STRANGE]) await judge(sample, JSON.stringify(mutate(sample.body, path, text)));
  });

  test('with new fields is read as without them', async () => {
    const more = { ...sample.body, brand_new: { a: [1, '2', null] }, another: '4508034508034509', x_id: rawJson('9007199254740993001') };
    const { raw: _raw, ...outcome } = await judge(sample, JSON.stringify(more));
    const { raw: _plain, ...plain } = await judge(sample, JSON.stringify(sample.body));
    expect(outcome).toEqual(plain);
  });

  test('changed in several places at once proves nothing it should not', async () => {
    const anything = fc.oneof(fc.constantFrom(undefined, ...STRANGE), fc.jsonValue().map((value) => JSON.stringify(value)), fc.bigInt({ min: -(10n ** 25n), max: 10n ** 25n }).map(String), fc.double({ noNaN: true, noDefaultInfinity: true }).map(String));
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(fc.constantFrom(...all.filter((path) => path.length === 1 || path[0] === 'data')), anything), { minLength: 1, maxLength: 4 }), async (changes) => {
        // The deepest first, so that what a change takes away is not looked for by the next.
        const ordered = changes.toSorted(([one], [other]) => other.length - one.length);
        await judge(sample, JSON.stringify(ordered.reduce((body, [path, text]) => mutate(body, path, text), sample.body)));
      }),
      { numRuns: 200 },
    );
  });
});

/** One of each table of codes. */
const EACH_TABLE = SAMPLES.filter((sample, index) => SAMPLES.findIndex((other) => other.table === sample.table) === index);

describe.each(EACH_TABLE)('the answer to $name', (sample) => {
  test('with any code that no table names is never final', async () => {
    for (let code = -1; code < 1_000; code++) {
      if (sample.table.has(String(code))) continue;
      const outcome = await judge(sample, JSON.stringify(mutate(sample.body, ['status_code'], code % 2 === 0 ? String(code) : `"${code}"`)));
      expect(['unclear', 'no_answer']).toContain(outcome.kind);
    }
  });

  test('cut off anywhere is no answer', async () => {
    const text = JSON.stringify(sample.body);
    for (let end = 0; end < text.length; end++) {
      const outcome = await hear(sample, text.slice(0, end));
      expect(['unclear', 'no_answer']).toContain(outcome.kind);
    }
  });
});

test('an answer of any JSON at all, to any question, throws nothing and ends nothing', async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...SAMPLES), fc.jsonValue(), fc.constantFrom(200, 201, 400, 404, 422, 500), async (sample, value, status) => {
      const outcome = await hear(sample, JSON.stringify(value), status);
      expect(['unclear', 'no_answer', 'not_found']).toContain(outcome.kind);
    }),
    { numRuns: 1_000 },
  );
});
