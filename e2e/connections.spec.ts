import { connect, type Socket } from 'node:net';
import { createServer, type Server } from 'node:http';
import { expect, test } from './story.ts';
import { rows } from './database.ts';
import { expectState, onPayoutPage, send, wanted } from './payout.ts';
import { sandbox } from './sandbox.ts';
import { emailOf, signIn } from './sign-in.ts';
import { BASE_URL } from './surroundings.ts';
import { doorUrl } from './webhook-door.ts';

const { hostname, port, host } = new URL(BASE_URL);
/** The server cuts such a connection off after ten seconds; Node by itself would after a minute. */
const CUT_OFF_MS = { least: 8_000, most: 30_000 };
/** Stands in no page of the product. */
const LISTENER_ANSWER = 'listener-answered';

/**
 * Opens a raw connection to the web. It sends exactly what is written, and collects the response
 * until the other side closes. `ended`: after how many ms it closed.
 */
function line(): { socket: Socket; received: () => string; ended: Promise<number> } {
  const begun = performance.now();
  const socket = connect(Number(port), hostname);
  let text = '';
  socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
  // A cut connection may end normally or with an error.
  socket.on('error', () => undefined);
  const ended = new Promise<number>((resolve) =>
    socket.once('close', () => resolve(performance.now() - begun)),
  );
  return { socket, received: () => text, ended };
}

test.describe('slow ones', () => {
  test('a client that never finishes its request is cut off after ten seconds and delays nobody else', async () => {
    const silent = line();
    const drips = line();
    drips.socket.write(`GET /login HTTP/1.1\r\nHost: ${host}\r\n`);
    const drip = setInterval(
      () => drips.socket.writable && drips.socket.write('X-Drop: 1\r\n'),
      500,
    );
    const crowd = Array.from({ length: 200 }, () => line());
    for (const one of crowd) one.socket.write('POST /api/sign-in HTTP/1.1\r\n');
    const begun = performance.now();
    expect((await fetch(`${BASE_URL}/api/health/live`)).status).toBe(200);
    expect(performance.now() - begun).toBeLessThan(8_000);
    for (const ended of await Promise.all([silent, drips, ...crowd].map((one) => one.ended))) {
      expect(ended).toBeGreaterThan(CUT_OFF_MS.least);
      expect(ended).toBeLessThan(CUT_OFF_MS.most);
    }
    clearInterval(drip);
    expect(drips.received()).not.toContain('200 OK');
  });

  test('a webhook that breaks off is neither kept nor acknowledged, so the provider sends it again', async () => {
    const slow = line();
    slow.socket.write(
      `POST ${new URL(doorUrl()).pathname} HTTP/1.1\r\nHost: ${host}\r\n` +
        'Content-Type: application/json\r\nContent-Length: 400\r\n\r\n' +
        '{"ext_transaction_id":"P-half',
    );
    await expect.poll(slow.received, { timeout: 60_000 }).toMatch(/^HTTP\/1\.1 408 /);
    slow.socket.destroy();
    expect(await rows(`SELECT 1 FROM notices WHERE body LIKE '%P-half%'`)).toEqual([]);
  });

  test('a page that is read slowly, and the live stream, are not taken for slow requests', async ({
    sitDown,
  }) => {
    const { page } = await sitDown('ayse');
    await page.goto('/payouts');
    const stream = await page.evaluate(async () => {
      const source = new EventSource('/api/events');
      const began = performance.now();
      const broken = await new Promise<number | null>((resolve) => {
        source.onerror = () => resolve(performance.now() - began);
        setTimeout(() => resolve(null), 14_000);
      });
      source.close();
      return broken;
    });
    expect(stream, 'milliseconds until the stream broke').toBeNull();
  });
});

test('forwarded headers of a request are not believed for limits, sessions or the provider', async ({
  openDesk,
}) => {
  const desk = await openDesk();
  const { context, page, language } = desk;
  await context.setExtraHTTPHeaders({
    'x-forwarded-for': '6.6.6.6, 7.7.7.7',
    forwarded: 'for=8.8.8.8',
    'x-real-ip': '9.9.9.9',
  });
  await page.goto('/login');
  await signIn(page, language, 'mehmet');
  const [session] = await rows<{ ip: string }>(
    `SELECT s.ip FROM sessions s JOIN people p ON p.id = s.person_id WHERE p.email = $1
      ORDER BY s.created_at DESC LIMIT 1`,
    [emailOf('mehmet')],
  );
  expect(session).toEqual({ ip: '127.0.0.1' });
  const counted = await rows<{ key: string }>(
    `SELECT key FROM rate_limits WHERE key LIKE 'sign-in:%'`,
  );
  expect(counted.map(({ key }) => key).filter((key) => /:(6\.6|7\.7|8\.8|9\.9)/.test(key))).toEqual(
    [],
  );
  expect(
    counted.some(({ key }) => key.endsWith(':127.0.0.1')),
    'the network of the connection is counted',
  ).toBe(true);

  const want = wanted();
  await send(desk, want);
  await expectState(desk, 'COMPLETED', 30_000);
  const sent = (await sandbox.requests('SendMoneyToBankAccount')).find((one) =>
    one.body.includes(want.payee.iban),
  ) as unknown as { headers: Record<string, string> };
  expect(sent.headers['x-tenant-end-user-ip']).toBe('127.0.0.1');
  const [movement] = await rows<{ maker_ip: string }>(
    'SELECT maker_ip FROM movements WHERE id = $1',
    [await onPayoutPage(desk)],
  );
  expect(movement).toEqual({ maker_ip: '127.0.0.1' });
});

test.describe('our own server', () => {
  let listener: Server;
  let there: string;
  const arrived: string[] = [];

  test.beforeAll(async () => {
    listener = createServer((request, response) => {
      arrived.push(`${request.method} ${request.url}`);
      response.end(LISTENER_ANSWER);
    });
    listener.on('connection', () => arrived.push('a connection'));
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
    const address = listener.address();
    there = `127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
  });
  test.afterAll(() => listener.close());

  test('fetches nothing for anybody: a listener beside it hears nothing, whatever is asked and however', async ({
    sitDown,
  }) => {
    // Proves that the listener records requests: otherwise its empty log would prove nothing.
    expect(await (await fetch(`http://${there}/proof`)).text()).toBe(LISTENER_ANSWER);
    expect(arrived).toContain('GET /proof');
    arrived.length = 0;

    const { context } = await sitDown('selin');
    const sid = (await context.cookies()).find(({ name }) => name === 'sid')!.value;
    const url = encodeURIComponent(`http://${there}/x`);
    for (const path of [
      `/_next/image?url=${url}&w=64&q=75`,
      `/login?next=${url}`,
      `/login?next=//${there}/x`,
      `/api/auth/callback/credentials?callbackUrl=${url}`,
      `/payouts?q=${url}`,
      `/receipts?q=${url}`,
    ]) {
      await (
        await fetch(`${BASE_URL}${path}`, { headers: { cookie: `sid=${sid}` }, redirect: 'manual' })
      ).body?.cancel();
    }
    const cookie = `Cookie: sid=${sid}\r\n`;
    const upgrade =
      'Connection: Upgrade\r\nUpgrade: websocket\r\n' +
      'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n';
    const asked = [
      `GET http://${there}/absolute HTTP/1.1\r\nHost: ${there}\r\n${cookie}Connection: close\r\n\r\n`,
      `GET http://${there}/socket HTTP/1.1\r\nHost: ${there}\r\n${cookie}${upgrade}\r\n`,
      `GET /api/events HTTP/1.1\r\nHost: ${there}\r\n${cookie}${upgrade}\r\n`,
      `GET //${there}/double HTTP/1.1\r\nHost: ${host}\r\n${cookie}${upgrade}\r\n`,
      `CONNECT ${there} HTTP/1.1\r\nHost: ${there}\r\n\r\n`,
      `GET /login HTTP/1.1\r\nHost: ${there}\r\nX-Forwarded-Host: ${there}\r\n` +
        `X-Middleware-Rewrite: http://${there}/\r\nX-Nextjs-Rewrite: http://${there}/\r\n` +
        `X-Middleware-Subrequest: proxy\r\n${cookie}Connection: close\r\n\r\n`,
      `GET / HTTP/1.1\r\nHost: ${there}\r\nX-Forwarded-Host: ${there}\r\n` +
        `Next-Action: 00\r\n${cookie}Connection: close\r\n\r\n`,
    ];
    for (const request of asked) {
      const { socket, ended, received } = line();
      socket.write(request);
      // A CONNECT is refused and the connection closed; the other requests are answered as usual.
      await Promise.race([
        ended,
        expect
          .poll(received, { timeout: 3_000 })
          .toMatch(/\r\n\r\n/)
          .catch(() => undefined),
      ]);
      socket.destroy();
      expect(received(), request.split('\r\n')[0]).not.toMatch(/^HTTP\/1\.1 101|listener-answered/);
    }
    expect(arrived).toEqual([]);
  });
});
