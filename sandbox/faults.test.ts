import { connect } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Sandbox, payout } from './testing/sandbox.ts';

let box: Sandbox;
beforeAll(async () => {
  box = await new Sandbox().start();
});
afterAll(() => box.stop());
beforeEach(() => box.post('reset'));

const SEND = 'SendMoneyToBankAccount';
const fault = (kind: string, extra: object = {}): Promise<Record<string, unknown>> =>
  box.post('faults', { operation: SEND, kind, ...extra });
const executed = async (extId: string): Promise<number> => (await box.ledgerOf(extId)).length;

/**
 * Returns what a plain socket receives for one payout until the server closes it or `withinMs` has
 * passed, and whether it was closed.
 */
function bare(extId: string, withinMs: number): Promise<{ text: string; ended: boolean }> {
  const body = JSON.stringify(payout(extId));
  const { hostname, port } = new URL(box.base);
  return new Promise((resolve) => {
    let text = '';
    const socket = connect(Number(port), hostname, () => {
      socket.write(
        `POST /wallet/api/v1/Transaction/${SEND} HTTP/1.1\r\nHost: ` +
          `${hostname}:${port}\r\nAuthorization: Bearer ${box.token}\r\nContent-Type: ` +
          `application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
      );
    });
    const timer = setTimeout(() => {
      socket.destroy();
      resolve({ text, ended: false });
    }, withinMs);
    const over = (): void => {
      clearTimeout(timer);
      resolve({ text, ended: true });
    };
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
    });
    socket.once('error', over);
    socket.once('close', over);
  });
}

describe('faults', () => {
  it('lost_before: nothing done, connection closed without an answer', async () => {
    await fault('lost_before');
    expect(await bare('before-1', 15_000)).toEqual({ text: '', ended: true });
    expect(await executed('before-1')).toBe(0);
    expect((await box.pay('before-1')).json.code).toBe('100');
  });

  it('lost_after: work done, connection closed without an answer', async () => {
    await fault('lost_after');
    expect(await bare('after-1', 15_000)).toEqual({ text: '', ended: true });
    expect(await executed('after-1')).toBe(1);
    expect((await box.pay('after-1')).json.code).toBe('1');
  });

  it('hang: silence instead of a closed connection', async () => {
    await fault('lost_after', { hang: true });
    expect(await bare('hang-1', 2_000)).toEqual({ text: '', ended: false });
    expect(await executed('hang-1')).toBe(1);
  });

  it('late: the client is gone when the work is done', async () => {
    await fault('late', { ms: 180_000 });
    await expect(box.pay('late-1')).rejects.toThrow();
    expect(await executed('late-1')).toBe(0);
    await box.post('clock', { advance: '150s' });
    expect(await executed('late-1')).toBe(0);
    await box.post('clock', { advance: '31s' });
    expect(await executed('late-1')).toBe(1);
  });

  it('late work survives kill -9', async () => {
    await fault('late', { ms: 180_000 });
    await expect(box.pay('late-2')).rejects.toThrow();
    await box.end('SIGKILL');
    await box.boot();
    await box.post('clock', { advance: '181s' });
    expect(await executed('late-2')).toBe(1);
  });

  it('delay: the answer comes, later', async () => {
    await fault('delay', { ms: 300 });
    const begin = Date.now();
    expect((await box.pay('delay-1')).json.code).toBe('100');
    expect(Date.now() - begin).toBeGreaterThanOrEqual(290);
  });

  it.each([500, 502, 503, 429, 307])('status %i: nothing done unless asked', async (status) => {
    await fault('status', { status });
    expect((await box.pay(`status-${status}`)).status).toBe(status);
    expect(await executed(`status-${status}`)).toBe(0);
    await fault('status', { status, work: true });
    expect((await box.pay(`status-${status}`)).status).toBe(status);
    expect(await executed(`status-${status}`)).toBe(1);
  });

  it('malformed, truncated and html: no answer a client could read', async () => {
    await fault('malformed');
    const broken = await box.pay('bad-1');
    expect(() => JSON.parse(broken.text) as unknown).toThrow();
    await fault('truncated');
    await expect(box.pay('bad-2')).rejects.toThrow();
    await fault('html');
    expect((await box.pay('bad-3')).text).toContain('<html>');
    await fault('malformed', { raw: true });
    expect((await bare('bad-4', 15_000)).text).not.toMatch(/^HTTP/);
    expect([
      await executed('bad-1'),
      await executed('bad-2'),
      await executed('bad-3'),
      await executed('bad-4'),
    ]).toEqual([1, 1, 0, 1]);
  });

  it('reset: the connection breaks', async () => {
    await fault('reset');
    await expect(box.pay('reset-1')).rejects.toThrow();
    expect(await executed('reset-1')).toBe(0);
  });

  it('slowloris: headers at once, the body byte by byte', async () => {
    await fault('slowloris', { ms: 400 });
    const { text, ended } = await bare('slow-1', 2_500);
    expect(ended).toBe(false);
    expect(text).toContain('200 OK');
    expect((text.split('\r\n\r\n')[1] ?? '').length).toBeLessThan(15);
    expect(await executed('slow-1')).toBe(1);
  });

  it('unknown_code and code: a business answer of the script’s choice', async () => {
    await fault('unknown_code');
    expect((await box.pay('code-1')).json).toMatchObject({
      status: 2,
      code: '7777',
      payload: null,
    });
    await fault('code', { code: '311' });
    expect((await box.pay('code-1')).json).toMatchObject({ status: 2, code: '311' });
    expect(await executed('code-1')).toBe(0);
    await fault('code', { code: '503', message: 'IBAN/isim' });
    expect((await box.pay('code-1')).json).toMatchObject({ code: '503', message: 'IBAN/isim' });
    await fault('code', { code: '311', work: true });
    expect((await box.pay('code-1')).json.code).toBe('311');
    expect(await executed('code-1')).toBe(1);
  });

  it('let `after` calls pass and hit `times` calls', async () => {
    await fault('status', { status: 500, after: 1, times: 2 });
    const seen: number[] = [];
    for (let i = 0; i < 4; i++) seen.push((await box.pay(`seq-${i}`)).status);
    expect(seen).toEqual([200, 500, 500, 200]);
  });

  it('touch only the operation they name, and can be listed and taken away [service: faults]', async () => {
    await fault('status', { status: 500, times: 9 });
    expect((await box.read('x')).status).toBe(200);
    expect(((await box.get('faults')) as { faults: unknown[] }).faults).toHaveLength(1);
    await box.raw('/sandbox/faults', { method: 'DELETE' });
    expect((await box.pay('gone-1')).json.code).toBe('100');
  });

  it('reach the token and the login too', async () => {
    await box.post('faults', { operation: 'connect/token', kind: 'status', status: 503 });
    expect((await box.raw('/wallet/auth/connect/token', { method: 'POST' })).status).toBe(503);
    await box.post('faults', { operation: 'corporatelogin', kind: 'code', code: '46' });
    expect(
      (await box.raw('/login/api/corporatelogin', { method: 'POST', body: '{}' })).json,
    ).toMatchObject({ statuscode: 46, data: [] });
  });

  it('are refused in words when they make no sense', async () => {
    for (const body of [
      {},
      { operation: 'x', kind: 'nope' },
      { operation: 'x', kind: 'status' },
      { operation: 'x', kind: 'delay', ms: -1 },
      { operation: 'x', kind: 'code' },
    ])
      await expect(box.post('faults', body)).rejects.toThrow('400');
  });

  it('magic .45 loses the first answer, .46 the request; .51 is late [SendMoneyToBankAccount: lost]', async () => {
    await expect(box.pay('m45', { amount: 10.45 })).rejects.toThrow();
    expect(await executed('m45')).toBe(1);
    await expect(box.pay('m46', { amount: 10.46 })).rejects.toThrow();
    expect(await executed('m46')).toBe(0);
    expect((await box.pay('m46', { amount: 10.46 })).json.code).toBe('100');
    await expect(box.pay('m51', { amount: 10.51 })).rejects.toThrow();
    expect(await executed('m51')).toBe(0);
    await box.post('clock', { advance: '20s' });
    expect(await executed('m51')).toBe(1);
  });

  it('records every attempt, also the lost ones, with whether work was done', async () => {
    await fault('lost_before');
    await expect(box.pay('log-1')).rejects.toThrow();
    await box.pay('log-1');
    const log = (await box.get(`requests?operation=${SEND}`)) as {
      fault: string | null;
      executed: boolean;
      body: string;
      answer: { code: string };
    }[];
    expect(log.map((one) => [one.fault, one.executed, one.answer.code])).toEqual([
      [null, true, '100'],
      ['lost_before', false, null],
    ]);
    expect(JSON.parse(log[0]?.body ?? '')).toMatchObject({ ext_transaction_id: 'log-1' });
  });
});
