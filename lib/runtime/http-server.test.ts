import { once } from 'node:events';
import type { IncomingHttpHeaders, Server } from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createGuardedServer } from './http-server.ts';

/**
 * Responses that Node sends by itself, before there is a request: they have the headers of every
 * other response.
 */

let server: Server;
const asked: string[] = [];
const receivedHeaders = new Map<string, IncomingHttpHeaders>();

beforeAll(async () => {
  server = createGuardedServer((request, response) => {
    asked.push(request.url!);
    receivedHeaders.set(request.url!, request.headers);
    if (request.url === '/begun')
      return void response.writeHead(200, { 'Content-Length': '10' }).write('begun');
    response.end('answered');
  });
  // The framework also listens to `upgrade`, and then sends no response.
  server.on('upgrade', () => undefined);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
});
afterAll(() => void server.close());

/**
 * Sends the parts and returns everything that was received until the server closed the connection.
 */
function exchange(...parts: string[]): Promise<string> {
  return new Promise((resolve) => {
    let received = '';
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1', () =>
      socket.write(parts.shift()!),
    );
    socket.on('data', (chunk: Buffer) => {
      received += chunk.toString();
      if (parts.length > 0) socket.write(parts.shift()!);
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(received));
  });
}

const HEADERS = [
  'strict-transport-security: max-age=31536000; includesubdomains',
  'x-content-type-options: nosniff',
  'referrer-policy: no-referrer',
  'cross-origin-opener-policy: same-origin',
  'cross-origin-resource-policy: same-origin',
  'permissions-policy: camera=(), microphone=(), geolocation=(), payment=(), usb=()',
  "content-security-policy: default-src 'none'; frame-ancestors 'none'",
  'cache-control: no-store',
  'connection: close',
];
const HOST = 'Host: desk.test\r\n';

test.each([
  ['what is no HTTP', 'nonsense\r\n\r\n', 400],
  ['a control character in a name', `GET / HTTP/1.1\r\n${HOST}Bad\u0001Name: x\r\n\r\n`, 400],
  ['two lengths', `POST / HTTP/1.1\r\n${HOST}Content-Length: 1\r\nContent-Length: 2\r\n\r\n`, 400],
  [
    'a length and pieces at once',
    `POST / HTTP/1.1\r\n${HOST}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    400,
  ],
  ['headers that are too large', `GET / HTTP/1.1\r\n${HOST}X: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
  [
    'a request for another protocol',
    `GET /socket HTTP/1.1\r\n${HOST}Connection: Upgrade, close\r\nUpgrade: websocket\r\n` +
      'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n',
    200,
  ],
  ['a request without a host', 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
  [
    'an expectation that nobody has',
    `GET / HTTP/1.1\r\n${HOST}Expect: wonders\r\nConnection: close\r\n\r\n`,
    417,
  ],
])('%s is answered with every header', async (_what, request, status) => {
  const [head = ''] = (await exchange(request)).split('\r\n\r\n', 1);
  expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  for (const header of HEADERS) expect(head.toLowerCase().split('\r\n')).toContain(header);
});

test('a client that offers another protocol and goes on with this one is answered again', async () => {
  const ask = (connection: string) => `GET /again HTTP/1.1\r\n${HOST}Connection: ${connection}\r\n`;
  const response = await exchange(
    `${ask('Upgrade, HTTP2-Settings')}Upgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA\r\n\r\n`,
    `${ask('close')}\r\n`,
  );
  expect(response.match(/HTTP\/1\.1 200 /g)).toHaveLength(2);
});

test('into an answer that has begun nothing else is written', async () => {
  expect(await exchange(`GET /begun HTTP/1.1\r\n${HOST}\r\n`, 'nonsense\r\n\r\n')).toMatch(
    /\r\n\r\nbegun$/,
  );
  expect(asked).toContain('/begun');
});

test('nobody outside passes for the framework: a body without a length is refused, whatever it claims', async () => {
  const refused = await exchange(
    `POST /not-screened HTTP/1.1\r\n${HOST}X-Screened: yes\r\nTransfer-Encoding: chunked\r\n` +
      'Connection: close\r\n\r\n0\r\n\r\n',
  );
  expect(asked).not.toContain('/not-screened');
  expect(refused).toMatch(/^HTTP\/1\.1 411 /);
  expect(refused).toContain('The request names no length.');
});

test('the last hop is the connection itself, whatever a request says of earlier ones', async () => {
  await exchange(
    `GET /hops HTTP/1.1\r\n${HOST}X-Screened: yes\r\nX-Forwarded-For: 10.6.6.6\r\n` +
      'X-Forwarded-For: 10.7.7.7\r\nConnection: close\r\n\r\n',
  );
  expect(receivedHeaders.get('/hops')!['x-forwarded-for']).toBe('10.6.6.6, 10.7.7.7, 127.0.0.1');
});

test('whoever connects and says nothing is cut off after ten seconds', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const taken = once(server, 'connection');
    const silent = connect((server.address() as AddressInfo).port, '127.0.0.1');
    const cut = once(silent, 'close');
    const [socket] = (await taken) as [Socket];
    vi.advanceTimersByTime(9_999);
    expect(socket.destroyed).toBe(false);
    vi.advanceTimersByTime(1);
    expect(socket.destroyed).toBe(true);
    await cut;
  } finally {
    vi.useRealTimers();
  }
});
