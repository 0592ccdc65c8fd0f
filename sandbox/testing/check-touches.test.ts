import { describe, expect, it } from 'vitest';
import { contractData, coverage } from '../coverage.ts';
import type { ContractData, Proof } from '../coverage.ts';
import { unmet } from './check-touches.ts';
import type { Meeting } from './check-touches.ts';
import { touchesOf, touchesOfNotice } from './touches.ts';
import type { Exchange } from './touches.ts';

const TOY: ContractData[] = [
  {
    area: 'toy',
    operations: [
      {
        operation: 'pay',
        path: 'POST /card/pay',
        source: 'contract',
        fields: { amount: 'y amount', note: 'n text', tip: 'n text' },
        rules: { once: 'x' },
        codes: { 13: 'does not add up', 99: 'chosen by invoice id' },
      },
      {
        operation: 'receipt',
        path: 'row of a list',
        source: 'contract',
        fields: { at: 'date', sum: 'decimal' },
      },
    ],
  },
];
const { rows } = coverage(TOY, []);
const FILE = 'sandbox/toy.test.ts';
const link = (item: string, title: string, operation = 'pay'): Proof => ({
  operation,
  item,
  file: FILE,
  title,
  test: title,
});
const met = (test: string, kind: string, item: string, operation = 'pay'): Meeting => ({
  file: FILE,
  test,
  operation,
  kind,
  item,
});
const asked = (test: string): Meeting => met(test, 'operation', 'pay');
const gaps = (links: Proof[], meetings: Meeting[]): string[] =>
  unmet(rows, links, meetings, true).map((line) => line.replace(/^.*: /, ''));

describe('a link of the coverage', () => {
  it('is red when its test did not run, or called nothing', () => {
    expect(gaps([link('13', 'refuses [pay: 13]')], [])).toEqual([
      'linked to pay, and it called nothing or did not run',
    ]);
    expect(unmet(rows, [link('13', 'refuses [pay: 13]')], [], false)).toEqual([]);
  });

  it('is red when its test met another code, another field or another operation', () => {
    const test = 'payments > refuses [pay: 13, note]';
    const links = [link('13', 'refuses [pay: 13, note]'), link('note', 'refuses [pay: 13, note]')];
    expect(gaps(links, [asked(test), met(test, 'code', '14'), met(test, 'field', 'tip')])).toEqual([
      'does not meet pay code 13',
      'does not meet pay field note',
    ]);
    expect(
      gaps(links, [asked(test), met(test, 'code', '13', 'receipt'), met(test, 'field', 'note')]),
    ).toEqual(['does not meet pay code 13']);
    expect(gaps(links, [asked(test), met(test, 'code', '13'), met(test, 'field', 'note')])).toEqual(
      [],
    );
  });

  it('is red when only another test of the file met the row', () => {
    expect(
      gaps(
        [link('13', 'refuses [pay: 13]')],
        [asked('refuses [pay: 13]'), asked('pays'), met('pays', 'code', '13')],
      ),
    ).toEqual(['does not meet pay code 13']);
  });

  it('is red for a code that an invoice id asked for, unless the row has no other cause', () => {
    const test = 'refuses [pay: 13, 99]';
    expect(
      gaps(
        [link('13', test), link('99', test)],
        [asked(test), met(test, 'asked code', '13'), met(test, 'asked code', '99')],
      ),
    ).toEqual(['does not meet pay code 13']);
  });

  it('to all optional fields is red for each that has no run of its own', () => {
    const title = '$operation takes $field [pay: optional]';
    const run = 'pay takes note [pay: optional]';
    expect(
      gaps(
        [link('optional', title)],
        [asked(run), met(run, 'field', 'note'), met(run, 'field', 'tip')],
      ),
    ).toEqual(['does not meet pay field tip']);
    const other = 'pay takes tip [pay: optional]';
    expect(
      gaps(
        [link('optional', title)],
        [asked(run), met(run, 'field', 'note'), asked(other), met(other, 'field', 'tip')],
      ),
    ).toEqual([]);
  });

  it('finds its runs by the title, whatever an each put into it', () => {
    const title = "answers %i with %j, it\\'s `${odd}` (a.b) [pay: 13]";
    const run = 'list > answers 13 with {"x":1}, it\'s `5` (a.b) [pay: 13]';
    expect(gaps([link('13', title)], [asked(run), met(run, 'code', '13')])).toEqual([]);
    expect(gaps([link('13', title)], [asked('answers 13 with x (aXb) [pay: 13]')])).toHaveLength(1);
  });

  it('to a record is met by an object of exactly its fields', () => {
    const record = (item: string): Meeting =>
      met('shows [receipt: fields]', item === 'receipt' ? 'operation' : 'field', item, 'receipt');
    const links = [link('fields', 'shows [receipt: fields]', 'receipt')];
    expect(gaps(links, [record('receipt'), record('at'), record('sum')])).toEqual([]);
    expect(gaps(links, [record('receipt'), record('at')])).toEqual([
      'does not meet receipt field sum',
    ]);
  });
});

const exchange = (
  path: string,
  body: string,
  text: string,
  more: Partial<Exchange> = {},
): Exchange => ({
  method: 'POST',
  url: new URL(path, 'http://sandbox'),
  headers: new Headers(),
  body,
  status: 200,
  location: null,
  text,
  ...more,
});
const touched = (one: Exchange, kind: string): string[] =>
  touchesOf(one)
    .filter((touch) => touch.kind === kind)
    .map((touch) => `${touch.operation} ${touch.item}`);

describe('an exchange', () => {
  it('meets the operation of its path and the fields in its body, however it is written', () => {
    const path = '/card/ccpayment/api/paySmart3D';
    expect(touched(exchange(path, 'total=1&app_lang=tr&unknown=2', ''), 'field')).toEqual([
      'paySmart3D total',
      'paySmart3D app_lang',
    ]);
    expect(
      touched(exchange(path, '{"total":1,"items":"[{\\"name\\":\\"x\\"}]"}', ''), 'field'),
    ).toEqual(['paySmart3D name', 'paySmart3D total', 'paySmart3D items']);
    expect(touched(exchange(path, '', ''), 'operation')).toEqual([
      'paySmart3D paySmart3D',
      'gateway gateway',
    ]);
  });

  it('meets a field that a refusal names, and none that a success echoes', () => {
    const path = '/card/ccpayment/api/refund';
    expect(
      touched(
        exchange(
          path,
          '{}',
          '{"status_code":1,"status_description":"Required or invalid field: invoice_id"}',
        ),
        'field',
      ),
    ).toEqual(['refund invoice_id']);
    expect(touched(exchange(path, '{}', '{"status_code":100,"invoice_id":"x"}'), 'field')).toEqual(
      [],
    );
    expect(
      touched(
        exchange(
          '/wallet/api/v1/Wallet/Info',
          '{}',
          '{"errors":["\'Wallet Number\' must not be empty."]}',
          { status: 400 },
        ),
        'field',
      ),
    ).toContain('Wallet/Info wallet_number');
  });

  it('meets its code, on the way back too, and tells apart what the invoice id asked for', () => {
    const path = '/card/ccpayment/api/paySmart3D';
    const back = { status: 303, location: 'https://shop.test/failed?status_code=13' };
    expect(touched(exchange(path, '', '', back), 'code')).toContain('paySmart3D 13');
    expect(touched(exchange(path, 'invoice_id=PAY13-1', '', back), 'code')).not.toContain(
      'paySmart3D 13',
    );
    expect(touched(exchange(path, 'invoice_id=PAY13-1', '', back), 'asked code')).toContain(
      'paySmart3D 13',
    );
  });

  it('meets a record by exactly its keys', () => {
    const record = '{"code":"06","description":"x","extra_description_min_length":0}';
    expect(touched(exchange('/x', '', `{"payload":[${record}]}`), 'operation')).toContain(
      'payment type payment type',
    );
    expect(
      touched(
        exchange('/x', '', `{"payload":[${record.replace('}', ',"more":1}')}]}`),
        'operation',
      ),
    ).toEqual([]);
  });

  it('that is a notification meets its event', () => {
    const event = (path: string, fields: Record<string, unknown>): string | undefined =>
      touchesOfNotice({ path, fields }).find((touch) => touch.kind === 'event')?.item;
    expect(event('/k/wallet', { after_process_status: 5 })).toBe('returned');
    expect(event('/k/card', { payment_status: '0', status: 'Failed' })).toBe('sale failed');
    expect(event('/k/card', { unique_id: 'x' })).toBe('cashout reverse');
  });

  it('reaches every operation that has a path', () => {
    const places = contractData()
      .flatMap((one) => one.operations)
      .filter((one) => /^(?:GET|POST)\b.* \/(?:card|wallet|login)\b/.test(one.path ?? ''));
    const unreached = places.filter(({ operation, path = '' }) => {
      const [, method = '', at = ''] = /^(GET|POST)\b.*? (\/\S+)/.exec(path) ?? [];
      return !touchesOf(exchange(at.replace(/\{\w+\}/, '7'), '', '', { method })).some(
        (touch) => touch.operation === operation,
      );
    });
    expect(unreached.map((one) => one.operation)).toEqual([]);
  });
});
