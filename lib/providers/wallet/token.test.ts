import { describe, expect, test } from 'vitest';
import { countsOf } from '#lib/runtime/metrics.ts';
import { countNotSent, measured } from '../measured.ts';
import type { Exchange } from '../outcome.ts';
import type { ProviderRequest } from '../transport.ts';
import { createWalletClient } from './client.ts';
import { createLine } from './connection.ts';
import { createWalletToken } from './token.ts';

const response = (status: number, body: unknown): Exchange => ({
  kind: 'response',
  status,
  body: typeof body === 'string' ? body : JSON.stringify(body),
  contentType: 'application/json',
});
const SECRET = 'canary-secret-9f3c';

/** A token service that issues T1, T2 and so on, and a clock that moves only on demand. */
function service(
  answer: (count: number) => Exchange | Promise<Exchange> = (count) =>
    response(200, { access_token: `T${count}`, token_type: 'Bearer', expires_in: 3600 }),
) {
  const asked: ProviderRequest[] = [];
  const clock = { ms: 0 };
  const source = createWalletToken({
    authUrl: 'http://auth.test/',
    clientId: 'client',
    clientSecret: SECRET,
    scope: 'sts_business_api',
    now: () => clock.ms,
    transport: async (request) => answer(asked.push(request)),
  });
  return { source, asked, clock };
}

describe('one token for everybody', () => {
  test('a hundred callers at once cause one request', async () => {
    const { source, asked } = service();
    const answers = await Promise.all(Array.from({ length: 100 }, () => source.get()));
    expect(asked).toHaveLength(1);
    expect(new Set(answers.map((answer) => answer.kind === 'token' && answer.token))).toEqual(
      new Set(['T1']),
    );
  });

  test('the request is a form of client credentials', async () => {
    const { source, asked } = service();
    await source.get();
    expect(asked[0]).toMatchObject({
      method: 'POST',
      url: 'http://auth.test/connect/token',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect(Object.fromEntries(new URLSearchParams(asked[0]?.body))).toEqual({
      grant_type: 'client_credentials',
      client_id: 'client',
      client_secret: SECRET,
      scope: 'sts_business_api',
    });
  });

  test('it is kept until a minute before its end, counted from receipt', async () => {
    const { source, asked, clock } = service();
    await source.get();
    clock.ms = 3_539_999;
    await source.get();
    expect(asked).toHaveLength(1);
    clock.ms = 3_540_000;
    expect(await source.get()).toEqual({ kind: 'token', token: 'T2' });
  });

  test('a token shorter than two minutes is used for half its life', async () => {
    const { source, asked, clock } = service((count) =>
      response(200, { access_token: `T${count}`, expires_in: '60' }),
    );
    await source.get();
    clock.ms = 29_999;
    await source.get();
    clock.ms = 30_000;
    await source.get();
    expect(asked).toHaveLength(2);
  });

  test('a refused token is thrown away once, however many callers were refused with it', async () => {
    const { source, asked } = service();
    await source.get();
    source.worked('T1');
    for (let i = 0; i < 100; i++) source.refused('T1');
    await Promise.all(Array.from({ length: 100 }, () => source.get()));
    source.refused('T1');
    expect(await source.get()).toEqual({ kind: 'token', token: 'T2' });
    expect(asked).toHaveLength(2);
  });
});

describe('a token service in trouble', () => {
  test.each([
    ['refuses the client', response(400, { error: 'invalid_client' }), 'refused'],
    ['is down', { kind: 'not_sent', why: 'refused' } as Exchange, 'unavailable'],
    ['answers nonsense', response(200, '<html>'), 'unavailable'],
    ['answers without a token', response(200, { expires_in: 3600 }), 'unavailable'],
    [
      'answers a token that no header can carry',
      response(200, { access_token: 'a\r\nb', expires_in: 3600 }),
      'unavailable',
    ],
    [
      'answers another kind of token',
      response(200, { access_token: 'a', token_type: 'mac' }),
      'unavailable',
    ],
    ['answers 500', response(500, ''), 'unavailable'],
  ])('that %s gives no token', async (_name, answer, why) => {
    const { source } = service(() => answer);
    expect(await source.get()).toEqual({ kind: 'no_token', why });
  });

  test('is asked three times at once and then at most every thirty seconds', async () => {
    const { source, asked, clock } = service(() => response(503, ''));
    for (let i = 0; i < 1_000; i++) await source.get();
    expect(asked).toHaveLength(3);
    for (clock.ms = 0; clock.ms <= 300_000; clock.ms += 1_000)
      await Promise.all([source.get(), source.get()]);
    expect(asked).toHaveLength(3 + 10);
    expect(await source.get()).toEqual({ kind: 'no_token', why: 'resting' });
  });

  test('that refused a connection is asked again at once: no refused connection makes anybody wait', async () => {
    const { source } = service((count) =>
      count <= 20
        ? { kind: 'not_sent', why: 'refused' }
        : response(200, { access_token: 'T', expires_in: 3600 }),
    );
    for (let i = 0; i < 20; i++)
      expect(await source.get()).toEqual({ kind: 'no_token', why: 'unavailable' });
    expect(await source.get()).toEqual({ kind: 'token', token: 'T' });
  });

  test('is used again as soon as it answers', async () => {
    const { source, clock } = service((count) =>
      count < 6 ? response(503, '') : response(200, { access_token: 'T', expires_in: 3600 }),
    );
    for (clock.ms = 0; clock.ms <= 120_000; clock.ms += 1_000) await source.get();
    expect(await source.get()).toEqual({ kind: 'token', token: 'T' });
  });

  test('that hands out useless tokens is left alone like one that hands out none', async () => {
    const { source, asked, clock } = service();
    const line = createLine({
      apiUrl: 'http://api.test',
      clientId: 'client',
      token: source,
      transport: async () => response(401, ''),
    });
    for (let i = 0; i < 100; i++)
      await Promise.all(
        Array.from({ length: 20 }, () =>
          line.ask({ path: '/v1/Account/GetBusinessAccount', body: '{}' }),
        ),
      );
    expect(asked.length).toBeLessThanOrEqual(3);
    for (clock.ms = 0; clock.ms <= 300_000; clock.ms += 500)
      await line.ask({ path: '/v1/Account/GetBusinessAccount', body: '{}' });
    expect(asked.length).toBeLessThanOrEqual(3 + 10);
    expect(await line.ask({ path: '/v1/Account/GetBusinessAccount', body: '{}' })).toEqual({
      kind: 'not_sent',
      why: 'no_token',
    });
  });
});

test('each request that is not sent for want of a token is counted, beside the refusal of the token', async () => {
  const transport = measured('wallet', async () => response(401, ''));
  const counted = () =>
    Object.fromEntries(
      countsOf('dashboard_provider_requests_total').map(({ labels, count }) => [
        labels['response'],
        count,
      ]),
    );
  // An increase is seen only in a series that was there before.
  expect(counted()).toMatchObject({ no_token: 0, circuit_open: 0, refused: 0 });
  const config = { authUrl: 'http://a.test', apiUrl: 'http://api.test', scope: 's', transport };
  const made = createWalletClient({
    ...config,
    clientId: 'client',
    clientSecret: SECRET,
    onNoToken: () => countNotSent('wallet', 'no_token'),
  });
  for (let i = 0; i < 5; i++) await made.getBusinessAccount();
  expect(counted()).toMatchObject({ no_token: 5, 401: 3 });
});

describe('while questions go well and every send gets a 401', () => {
  /** A service that accepts the token for every operation but one. */
  const half = () => {
    const { source, asked, clock } = service();
    const line = createLine({
      apiUrl: 'http://api.test',
      clientId: 'client',
      token: source,
      transport: async ({ url }) =>
        url.endsWith('/Send')
          ? response(401, '')
          : response(200, { status: 0, code: '100', payload: null }),
    });
    const send = () => line.send({ path: '/v1/Send', body: '{}', beforeWrite: () => true });
    return { asked, clock, send, ask: () => line.ask({ path: '/v1/Ask', body: '{}' }) };
  };

  test('fifty sends at once cost one renewal', async () => {
    const { asked, send, ask } = half();
    await ask();
    await Promise.all(Array.from({ length: 50 }, send));
    expect(asked).toHaveLength(1);
    await Promise.all(Array.from({ length: 50 }, ask));
    expect(asked).toHaveLength(2);
  });

  test('no send costs a token: five renewals in thirty seconds, and then a rest', async () => {
    const { asked, clock, send, ask } = half();
    for (clock.ms = 0; clock.ms < 300_000; clock.ms += 100) {
      await ask();
      await send();
    }
    expect(asked.length).toBeGreaterThan(10);
    expect(asked.length).toBeLessThanOrEqual(1 + 5 * 10);
  });
});

test('nothing a token source or its answers print shows the secret or a token', async () => {
  const { inspect } = await import('node:util');
  const { source } = service();
  await source.get();
  expect(inspect(source, { depth: 9, showHidden: true }) + JSON.stringify(source)).not.toMatch(
    /canary|T1/,
  );
});
