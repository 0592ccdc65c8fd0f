import * as http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { respectingWaits } from './retry-after.ts';
import { exchange } from './transport.ts';
import { createWalletClient } from './wallet/client.ts';
import type { PayoutContent, TransferContent } from './wallet/types.ts';

/** A wallet service that answers every operation with the same response and counts the requests. */
let server: http.Server;
let arrived: string[];
let answer: { status: number; headers: Record<string, string>; body: string };
let clock: number;

beforeEach(async () => {
  [arrived, clock] = [[], 0];
  server = http.createServer((request, response) => {
    request.resume().on('end', () => {
      if (request.url?.endsWith('/connect/token'))
        return response.end('{"access_token":"T","expires_in":3600}');
      arrived.push(request.url?.split('/').at(-1) ?? '');
      response.writeHead(answer.status, answer.headers).end(answer.body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const client = () => {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return createWalletClient({
    authUrl: url,
    apiUrl: url,
    clientId: 'c',
    clientSecret: 's',
    scope: 'x',
    transport: respectingWaits(exchange, () => clock),
  });
};
const busy = (retryAfter?: string, body = ''): typeof answer => ({
  status: 429,
  headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter },
  body,
});
const PAYOUT: PayoutContent = {
  extId: 'P-1',
  wallet: '1',
  iban: 'TR330006100519786457841326',
  name: 'A',
  taxNumber: '1',
  amountMinor: 12_340n,
  currency: 'TRY',
  paymentType: null,
  description: '',
};
const TRANSFER: TransferContent = {
  extId: 'T-1',
  wallet: '1',
  to: '2',
  amountMinor: 12_340n,
  currency: 'TRY',
  paymentType: null,
  description: '',
};
const SENDING = { endUserIp: null, beforeWrite: () => true };
const REFUSAL = '{"status":2,"code":"311","message":"","payload":null}';

describe('429 Too Many Requests', () => {
  test.each([
    ['no body', ''],
    ['a page', '<html>'],
    ['a well-formed refusal', REFUSAL],
    ['a well-formed "not found"', REFUSAL.replace('311', '300')],
  ])(
    'with %s proves nothing: a send is unclear, a question has no answer, and neither is asked twice',
    async (_what, body) => {
      answer = busy(undefined, body);
      const wallet = client();
      expect(await wallet.sendPayout(PAYOUT, SENDING)).toMatchObject({
        kind: 'unclear',
        why: 'http_status',
      });
      expect(await wallet.sendTransfer('own', TRANSFER, SENDING)).toMatchObject({
        kind: 'unclear',
        why: 'http_status',
      });
      expect(await wallet.readPayout(PAYOUT)).toMatchObject({
        kind: 'no_answer',
        why: 'http_status',
      });
      expect(await wallet.readTransfer(TRANSFER, { from: 'A', to: 'B' })).toMatchObject({
        kind: 'no_answer',
        why: 'http_status',
      });
      expect(await wallet.getWallet('1')).toEqual({ kind: 'no_answer', why: 'http_status' });
      expect(await wallet.createWallet({ name: 'n', currency: 'TRY', fastIban: false })).toEqual({
        kind: 'unclear',
        why: 'http_status',
      });
      expect(arrived).toHaveLength(6);
    },
  );

  test('with Retry-After pauses requests to the provider for that long: later ones are not sent', async () => {
    answer = busy('7');
    const wallet = client();
    expect((await wallet.sendPayout(PAYOUT, SENDING)).kind).toBe('unclear');
    answer = { status: 200, headers: {}, body: REFUSAL };
    for (clock of [0, 1, 6_999]) {
      expect(await wallet.sendPayout(PAYOUT, SENDING)).toMatchObject({
        kind: 'not_sent',
        why: 'told_to_wait',
      });
      expect(await wallet.readPayout(PAYOUT)).toMatchObject({
        kind: 'no_answer',
        why: 'told_to_wait',
      });
    }
    expect(arrived).toEqual(['SendMoneyToBankAccount']);
    clock = 7_000;
    expect(await wallet.sendPayout(PAYOUT, SENDING)).toMatchObject({
      kind: 'refused',
      code: '311',
    });
  });

  test('asks for a minute at most, whatever it says', async () => {
    answer = busy('999999');
    const wallet = client();
    await wallet.getWallet('1');
    clock = 59_999;
    expect(await wallet.getWallet('1')).toEqual({ kind: 'no_answer', why: 'told_to_wait' });
    clock = 60_000;
    expect(await wallet.getWallet('1')).toEqual({ kind: 'no_answer', why: 'http_status' });
    expect(arrived).toHaveLength(2);
  });

  test.each(['0', '', '-5', '1.5', 'soon', 'Wed, 21 Oct 2026 07:28:00 GMT', '99999999999'])(
    'with Retry-After "%s" asks for nothing',
    async (header) => {
      answer = busy(header);
      const wallet = client();
      await wallet.getWallet('1');
      await wallet.getWallet('1');
      expect(arrived).toHaveLength(2);
    },
  );

  test('is the only status whose Retry-After is obeyed', async () => {
    const wallet = client();
    for (const status of [200, 401, 500, 503]) {
      answer = { status, headers: { 'retry-after': '60' }, body: REFUSAL };
      expect((await wallet.sendPayout(PAYOUT, SENDING)).kind).not.toBe('not_sent');
    }
  });
});
