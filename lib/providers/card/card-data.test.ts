import { inspect } from 'node:util';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseJson } from '../json.ts';
import type { Exact } from '../json.ts';
import { cardOrder } from './bank-page-fixture.ts';
import { APP_SECRET, clientOf, response } from './client-fixture.ts';
import { createLog } from '#lib/runtime/log.ts';
import { TypedCard } from './typed-card.ts';
import { withoutCardData } from './without-card-data.ts';

/**
 * Values that must not leak: a card number with a valid check digit, in the forms in which an
 * answer may echo it, and a security code that occurs nowhere else.
 */
const NUMBER = '4508034508034509';
const CODE = '973';
const SPELT = [NUMBER, '4508 0345 0803 4509', '4508-0345-0803-4509'];
const CARD = new TypedCard({
  holder: 'CANARY HOLDER',
  number: NUMBER,
  expiryMonth: '12',
  expiryYear: '2030',
  securityCode: CODE,
});

const holdsNumber = (text: string): boolean => text.replace(/[^\d]/g, '').includes(NUMBER);

describe('a typed card', () => {
  test('is printed, serialised, copied and thrown by nothing', () => {
    const prints = [
      inspect(CARD, { depth: 9, showHidden: true }),
      JSON.stringify(CARD),
      JSON.stringify({ card: CARD }),
      `${String(CARD)}`,
      inspect({ ...CARD }),
      Object.keys(CARD).join(),
      inspect(structuredClone({ ...CARD })),
    ];
    for (const print of prints) expect(print).not.toMatch(/4508|973|CANARY|2030/);
    try {
      CARD.open('3d');
    } catch (error) {
      expect(inspect(error)).not.toMatch(/4508|973\b|CANARY/);
    }
  });

  test('that is ill-formed is refused by the name of its field, not its value', () => {
    const good = {
      holder: 'A',
      number: NUMBER,
      expiryMonth: '12',
      expiryYear: '2030',
      securityCode: CODE,
    };
    for (const [field, value] of [
      ['number', '45080345x'],
      ['number', ''],
      ['number', '4'.repeat(20)],
      ['expiryMonth', '13'],
      ['expiryMonth', '1'],
      ['expiryYear', '30'],
      ['securityCode', '97'],
      ['securityCode', '97x'],
      ['holder', ' '],
    ] as const) {
      let printed = '';
      try {
        void new TypedCard({ ...good, [field]: value });
      } catch (error) {
        printed = (error as Error).message;
      }
      expect(printed, field).toContain(field);
      if (value.trim() !== '') expect(printed).not.toContain(value);
    }
  });
});

describe('an answer', () => {
  test.each(SPELT)(
    'that echoes the number as %s anywhere loses it, and keeps its ids and amounts',
    (number) => {
      const echoes: Record<string, unknown>[] = [
        { message: `card ${number} declined` },
        { cc_no: number },
        { credit_card_no: number },
        { card_number: number },
        { card: { pan: number } },
        { order_id: number },
        { brand_new_field: [[{ deep: number }]] },
        { [number]: 1 },
        { html: `<b>${number}</b>` },
        { request: JSON.stringify({ cc_no: number, cvv: CODE }) },
        { note: `${number}${number}` },
      ];
      for (const echo of echoes) {
        const body = JSON.stringify({
          status_code: 100,
          transaction_id: '9007199254740993001',
          amount: 123.4,
          ...echo,
        });
        const clean = withoutCardData(body, [NUMBER]);
        expect(holdsNumber(clean), body).toBe(false);
        expect(clean).toContain('"9007199254740993001"');
        expect(clean).toContain('123.4');
      }
    },
  );

  test('that writes it as a number, in escapes, as HTML or in broken JSON loses it too', () => {
    const escaped = [...NUMBER]
      .map((digit) => `\\u${digit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join('');
    for (const body of [
      `{"x":${NUMBER}}`,
      `{"cc_no":${NUMBER}}`,
      `{"x":"${escaped}"}`,
      `<html>${NUMBER}</html>`,
      `{"status_code":100,"x":"${NUMBER}`,
      NUMBER,
      `"${NUMBER}"`,
    ]) {
      const clean = withoutCardData(body, [NUMBER]);
      const read = parseJson(clean);
      expect(holdsNumber(clean + (read.ok ? inspect(read.value) : '')), body).toBe(false);
    }
  });

  test("that shows another card's number whole shows its ends only, also when nobody sent one", () => {
    const clean = withoutCardData(
      JSON.stringify({
        status_code: 100,
        cc_no: '5406675406675403',
        message: '5406675406675403',
        cvv: '973',
        cvc2: 973,
        text: 'cvv: 973',
        nested: { security_code: '9731' },
      }),
      [],
    );
    expect(clean).not.toMatch(/5406675406675403|973/);
    expect(clean).toContain('540667******5403');
  });

  test('without a card comes back letter by letter, whatever its ids look like', () => {
    const id = fc.bigInt({ min: 10n ** 12n, max: 10n ** 19n }).map(String);
    fc.assert(
      fc.property(
        id,
        id,
        id,
        fc.bigInt({ min: 0n, max: 10n ** 11n }),
        (one, other, third, cents) => {
          const body =
            `{ "status_code":100, "invoice_id": "${one}", "order_no":${other},` +
            `"order_id" :"${other}","transaction_id":"${third}","ref_number":${third},` +
            `"id":${one},"plan_code":"${one}","customer_number":${other},"card_token":"${one}",` +
            `"transaction_amount":${cents}.40,"cc_no":"450803******4509",` +
            `"hash_key":"${one.padStart(16, '0').slice(0, 16)}:9f3c:q7ABEpBFHVdKfp33i__Tv=="}`;
          expect(withoutCardData(body, [NUMBER, APP_SECRET])).toBe(body);
        },
      ),
    );
  });

  test('that has something to hide keeps every other number digit by digit', () => {
    const clean = parseJson(
      withoutCardData(
        `{"a":1.50,"b":123456789012.10,"order_id":9007199254740993001,"c":-0.0,"d":1E2,"message":"${NUMBER}"}`,
        [],
      ),
    );
    const value = (clean.ok ? clean.value : {}) as Record<string, Exact>;
    expect(['a', 'b', 'order_id', 'c', 'd'].map((name) => value[name]?.text)).toEqual([
      '1.50',
      '123456789012.10',
      '9007199254740993001',
      '-0.0',
      '1E2',
    ]);
  });
});

describe('a payment with a card', () => {
  test('leaves no number, code or secret in its outcome, evidence or logs, whatever the gateway echoes', async () => {
    const lines: string[] = [];
    const log = createLog({ write: (line: string) => void lines.push(line) });
    const echo = (request: { body?: string; headers?: Record<string, string> }) => ({
      echo: JSON.parse(request.body ?? '{}') as unknown,
      text: request.body,
      message: `${NUMBER} ${APP_SECRET}`,
    });
    for (const status of [200, 400, 401, 422, 500]) {
      for (const code of [100, 41, 999]) {
        const { made, asked } = clientOf([
          (request) =>
            response(status, {
              status_code: code,
              status_description: `kart ${NUMBER} cvv ${CODE}`,
              data: echo(request),
            }),
          (request) => response(status, `<pre>${request.body ?? ''}</pre>`),
        ]);
        for (let round = 0; round < 2; round++) {
          const outcome = await made.payByCard(cardOrder(), CARD, { beforeWrite: () => true });
          log.info(`outcome ${JSON.stringify(outcome)}`);
          log.error('outcome', outcome as object);
          const print =
            inspect(outcome, { depth: 9, maxStringLength: null }) +
            JSON.stringify(outcome) +
            lines.join('');
          expect(holdsNumber(print)).toBe(false);
          expect(print).not.toMatch(/\b973\b/);
          expect(print).not.toContain(APP_SECRET);
        }
        // Proves that the check can fail: the number was sent, and to the gateway alone.
        expect(asked.every((request) => request.body?.includes(NUMBER))).toBe(true);
      }
    }
    expect(lines.length).toBeGreaterThan(0);
  });

  test('is not in what the client itself shows', () => {
    expect(inspect(clientOf([]), { depth: 9, showHidden: true })).not.toContain(APP_SECRET);
  });
});
