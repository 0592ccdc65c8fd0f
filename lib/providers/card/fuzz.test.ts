import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { amountsIn, spoiltMore, spoiltOnce, textOf, tokensIn, valuesIn } from '../testing/spoil.ts';
import { cardOrder } from './bank-page-fixture.ts';
import { clientOf, gatewayHash, response } from './client-fixture.ts';
import { CARD_CODES } from './codes.ts';
import { TypedCard } from './typed-card.ts';

/**
 * Corrupts each response to each operation about money, and to the query for the record: the client
 * must not crash, must not return a final state for an unknown code, and must not change an id or
 * an amount.
 */

const INVOICE = '9007199254740993001';
const ORDER_ID = '9007199254740993777';
const ORDER = cardOrder({ invoiceId: INVOICE });
const CARD = new TypedCard({
  holder: 'Işık Öğüt',
  number: '4508034508034509',
  expiryMonth: '12',
  expiryYear: '2030',
  securityCode: '123',
});
const SAVED = {
  ...ORDER,
  cardToken: 'TOKEN1',
  customer: { number: INVOICE, email: 'a@desk.test', phone: '05', name: 'I' },
  ip: '203.0.113.7',
  cardProgram: 'BONUS' as const,
};
const WAITING = { ...ORDER, orderId: ORDER_ID, hold: false };
const SENDING = { beforeWrite: () => true };

/**
 * The response to a payment as the contract describes it, with ids of 19 digits as text and as
 * number.
 */
const paid = (type = 'Auth', more = '') =>
  '{"status_code":100,"status_description":"Onaylandı","data":{"svc_status":1,' +
  `"order_no":"${ORDER_ID}","order_id":${ORDER_ID},"invoice_id":"${INVOICE}","status_code":100,` +
  '"svc_payment_method":1,' +
  `"credit_card_no":"450803******4509","transaction_type":"${type}","payment_status":"1",` +
  '"payment_method":1,"error_code":"100","error":"Onaylandı","auth_code":"001482",' +
  `"amount":"123.40",${more}` +
  `"hash_key":"${gatewayHash('1', '123.40', INVOICE, ORDER_ID, 'TRY')}"}}`;
const calledOff =
  '{"status_code":100,"status_description":"ok","data":{"svc_status":0,' +
  `"payment_status":0,"invoice_id":${INVOICE},"order_id":"${ORDER_ID}","status":"Failed"}}`;
const confirmed = (word: string) =>
  `{"status_code":100,"status_description":"ok","transaction_status":"${word}",` +
  `"order_id":${ORDER_ID},"invoice_id":"${INVOICE}"}`;
const refunded = (code: string) =>
  `{"status_code":${code},"status_description":"ok","order_no":"${ORDER_ID}",` +
  `"invoice_id":${INVOICE},"ref_no":9007199254740993555,"ref_number":""}`;
const record = (word: string, type: string, code: string) =>
  `{"status_code":${code},"status_description":"ok","transaction_status":"${word}",` +
  `"order_id":${ORDER_ID},"invoice_id":"${INVOICE}","transaction_id":"9007199254740993888",` +
  '"message":"m","reason":"","bank_status_code":"00",' +
  `"transaction_type":"${type}","product_price":"123.40","transaction_amount":123.40,` +
  '"total_refunded_amount":10.50,"refund_info":[{"refund_transaction_id":"R-1","amount":10.50,' +
  '"date":"2026-11-21 10:00:00","status":"Completed"}],"cc_no":"450803******4509",' +
  '"settlement_date":"2026-11-22","installment":1,' +
  '"recurring_id":9007199254740993999,"recurring_plan_code":"PLAN1",' +
  '"next_action_date":"2026-12-21 10:00:00","recurring_status":"Active"}';
const refusal = '{"status_code":41,"status_description":"Ödeme başarısız"}';

/** One client for all tests, so that only one token is requested. */
let answer = response(200, '');
const { made } = clientOf([() => answer]);

type Result = { kind: string } & Record<string, unknown>;
type Sample = {
  name: string;
  ask: () => Promise<object>;
  body: string;
  kind: string;
  table: ReadonlyMap<string, string>;
};

const SAMPLES: Sample[] = [
  {
    name: 'paySmart2D',
    ask: () => made.payByCard(ORDER, CARD, SENDING),
    body: paid(),
    kind: 'approved',
    table: CARD_CODES.charge,
  },
  {
    name: 'paySmart2D, held',
    ask: () => made.payByCard({ ...ORDER, hold: true }, CARD, SENDING),
    body: paid('Pre-Authorization'),
    kind: 'approved',
    table: CARD_CODES.charge,
  },
  {
    name: 'paySmart2D, refused',
    ask: () => made.payByCard(ORDER, CARD, SENDING),
    body: refusal,
    kind: 'refused',
    table: CARD_CODES.charge,
  },
  {
    name: 'payByCardTokenNonSecure',
    ask: () => made.payBySavedCard(SAVED, SENDING),
    body: paid(),
    kind: 'approved',
    table: CARD_CODES.charge,
  },
  {
    name: 'payment/complete',
    ask: () => made.completePayment(WAITING, 'complete', SENDING),
    body: paid('Auth', '"status":"Completed",'),
    kind: 'approved',
    table: CARD_CODES.complete,
  },
  {
    name: 'payment/complete, called off',
    ask: () => made.completePayment(WAITING, 'cancel', SENDING),
    body: calledOff,
    kind: 'called_off',
    table: CARD_CODES.complete,
  },
  {
    name: 'confirmPayment, capture',
    ask: () => made.captureHold({ ...WAITING, amountMinor: 5_000n }, SENDING),
    body: confirmed('Completed'),
    kind: 'confirmed',
    table: CARD_CODES.confirm,
  },
  {
    name: 'confirmPayment, release',
    ask: () => made.releaseHold(WAITING, SENDING),
    body: confirmed('Cancelled'),
    kind: 'confirmed',
    table: CARD_CODES.confirm,
  },
  {
    name: 'refund',
    ask: () => made.refundPayment({ ...WAITING, refundId: 'R-1' }, SENDING),
    body: refunded('"100"'),
    kind: 'refunded',
    table: CARD_CODES.refund,
  },
  {
    name: 'refund, by hand',
    ask: () => made.refundPayment({ ...WAITING, refundId: 'R-1' }, SENDING),
    body: refunded('101'),
    kind: 'pending',
    table: CARD_CODES.refund,
  },
  ...(
    [
      ['Completed', 'Auth', '100'],
      ['Completed', 'Pre-Authorization', '100'],
      ['Pre-Authorized', 'Pre-Authorization', '100'],
      ['Cancelled', 'Pre-Authorization', '100'],
      ['Partially Refunded', 'Auth', '"100"'],
      ['Failed', 'Auth', '41'],
      ['Pending', 'Auth', '69'],
    ] as const
  ).map(([word, type, code]): Sample => ({
    name: `checkstatus, ${word} ${type} ${code}`,
    ask: () => made.readRecord(ORDER),
    body: record(word, type, code),
    kind: 'found',
    table: CARD_CODES.record,
  })),
];
/** One sample for each code table. */
const EACH_TABLE = SAMPLES.filter(
  (sample, index) => SAMPLES.findIndex((other) => other.table === sample.table) === index,
);

const UNDECIDED = ['unclear', 'no_answer'];
const IDS = /^(?:invoiceId|orderId|transactionId|id|planCode|refundNumber|refundId|authCode)$/;

function resultOf(sample: Sample, body: string, status = 200): Promise<Result> {
  answer = response(status, body);
  return sample.ask() as Promise<Result>;
}

function keepsItsWord(sample: Sample, result: Result, body: string): void {
  if (UNDECIDED.includes(result.kind)) return;
  const [tokens, amounts] = [tokensIn(body), amountsIn(body)];
  const changed = [...valuesIn(result)].filter(([name, value]) =>
    typeof value === 'bigint'
      ? !amounts.has(value < 0n ? -value : value)
      : typeof value === 'string' && IDS.test(name) && !tokens.has(value),
  );
  const plain = [JSON.parse(body) as Record<string, unknown>].flat()[0];
  const meaning = sample.table.get(textOf(plain?.['status_code']));
  const isOurs =
    result.kind === 'found'
      ? result['invoiceId'] === INVOICE &&
        (result['amountMinor'] === ORDER.amountMinor ||
          (result['state'] === 'pending' && result['amountMinor'] === null))
      : result['orderId'] === undefined || result['orderId'] === null || tokens.has(INVOICE);
  const word = textOf(plain?.['transaction_status']).trim().toLowerCase();
  const isFounded =
    {
      found: () =>
        meaning !== undefined &&
        meaning !== 'not_found' &&
        (result['state'] === 'pending' || CARD_CODES.states.has(word)),
      not_found: () => meaning === 'not_found',
      approved: () => meaning === 'approved' && result['orderId'] === ORDER_ID,
      confirmed: () => meaning === 'approved' && ['completed', 'cancelled'].includes(word),
      called_off: () => meaning === 'approved',
      refunded: () => meaning === 'approved',
    }[result.kind] ?? (() => meaning === result.kind);
  // Compares directly and calls expect.fail() only on a failure, because tens of thousands of
  // responses are checked.
  if (changed.length > 0 || !isOurs || !isFounded())
    expect.fail(
      `${result.kind}, ${meaning}, changed ${changed.map(([name]) => name).join()}: ${body}`,
    );
}

describe.each(SAMPLES)('$name', (sample) => {
  test('is read as it is, and with new fields as without them', async () => {
    const result = await resultOf(sample, sample.body);
    expect(result.kind).toBe(sample.kind);
    keepsItsWord(sample, result, sample.body);
    const { raw: _raw, ...more } = await resultOf(
      sample,
      sample.body.replace(
        '{',
        '{"brand_new":{"a":[1,"2",null]},"another":"4508034508034509","x_id":9007199254740993001,',
      ),
    );
    const { raw: _plain, ...plain } = result;
    expect(more).toEqual(plain);
  });

  test('with any one field dropped, changed or of another type never says more than was said', async () => {
    for (const body of spoiltOnce(sample.body))
      keepsItsWord(sample, await resultOf(sample, body), body);
  });

  test('with several fields spoilt, scarred bytes, or anything at all does not either', async () => {
    await fc.assert(
      fc.asyncProperty(
        spoiltMore(sample.body),
        async (body) => void keepsItsWord(sample, await resultOf(sample, body), body),
      ),
      { numRuns: 300 },
    );
  });

  test('under no other HTTP status says anything final', async () => {
    for (const status of [
      100, 201, 204, 301, 302, 307, 400, 403, 404, 409, 413, 422, 429, 500, 502, 503, 504,
    ])
      expect(UNDECIDED).toContain((await resultOf(sample, sample.body, status)).kind);
  });
});

describe.each(EACH_TABLE)('$name', (sample) => {
  test('with any code that no table names is never final', async () => {
    for (let code = -1; code < 1_000; code++) {
      if (sample.table.has(String(code))) continue;
      const written = code % 2 === 0 ? String(code) : `"${code}"`;
      expect(UNDECIDED).toContain(
        (
          await resultOf(
            sample,
            sample.body.replace(/"status_code":"?\d+"?/, `"status_code":${written}`),
          )
        ).kind,
      );
    }
  });

  test('cut off anywhere is no answer', async () => {
    for (let end = 0; end < sample.body.length; end++)
      expect(UNDECIDED).toContain((await resultOf(sample, sample.body.slice(0, end))).kind);
  });
});
