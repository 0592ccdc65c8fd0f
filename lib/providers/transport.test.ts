import { execFile } from 'node:child_process';
import * as net from 'node:net';
import { promisify } from 'node:util';
import { afterEach, describe, expect, test } from 'vitest';
import { exchange } from './transport.ts';
import type { ProviderRequest } from './transport.ts';

/**
 * A provider that reads and writes raw bytes: it counts the requests and connections that really
 * arrived, which an HTTP library would hide.
 */
type Behaviour = (socket: net.Socket, request: string) => void;
type RawServer = { url: string; port: number; posts: () => number; connections: () => number };

const closers: (() => void)[] = [];
afterEach(() => closers.splice(0).forEach((close) => close()));

async function rawServer(
  behave: Behaviour,
  onConnect?: (socket: net.Socket) => void,
): Promise<RawServer> {
  const sockets = new Set<net.Socket>();
  let posts = 0;
  let connections = 0;
  const server = net.createServer((socket) => {
    connections++;
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    onConnect?.(socket);
    let received = '';
    socket.on('data', (bytes) => {
      const before = received;
      received += bytes.toString('latin1');
      posts += received.split('POST /').length - before.split('POST /').length;
      if (received.endsWith('{"amount":123.40}')) behave(socket, received);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  const { port } = server.address() as net.AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1/pay`,
    port,
    posts: () => posts,
    connections: () => connections,
  };
}

/** Long enough for an answer on a busy machine. */
const ANSWERED_MS = 15_000;
/** All of it is waited for where no answer comes; the request leaves well before. */
const SILENT_MS = 2_000;

const post = (url: string, more: Partial<ProviderRequest> = {}) =>
  exchange({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/json' },
    body: '{"amount":123.40}',
    deadlineMs: ANSWERED_MS,
    ...more,
  });

const answer = (body: string, head = 'HTTP/1.1 200 OK\r\nContent-Type: application/json'): string =>
  `${head}\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`;

/** Waits long enough for a client that retries by itself to be noticed. */
const settle = () => new Promise((resolve) => setTimeout(resolve, 120));

describe('a response', () => {
  test('a whole answer comes with its status, body and content type', async () => {
    const server = await rawServer((socket) => socket.end(answer('{"message":"Başarılı"}')));
    expect(await post(server.url)).toEqual({
      kind: 'response',
      status: 200,
      body: '{"message":"Başarılı"}',
      contentType: 'application/json',
    });
  });

  test('the request carries exactly the given bytes on a connection of its own', async () => {
    let seen = '';
    const server = await rawServer((socket, request) => {
      seen = request;
      socket.end(answer('{}'));
    });
    await post(server.url, { headers: { authorization: 'Bearer t' } });
    await post(server.url);
    expect(server.connections()).toBe(2);
    expect(seen).toMatch(/connection: close/i);
    expect(seen).toMatch(/accept-encoding: identity/i);
    expect(seen.split('\r\n\r\n')[1]).toBe('{"amount":123.40}');
  });

  test('bytes that are no text arrive as they are, in place of the body', async () => {
    let seen = '';
    const server = await rawServer((socket, request) => {
      seen = request;
      socket.end(answer('{}'));
    });
    const bytes = Buffer.concat([
      Buffer.from([0x00, 0xff, 0xd8, 0x0d, 0x0a, 0x80]),
      Buffer.from('{"amount":123.40}'),
    ]);
    expect(await post(server.url, { bytes })).toMatchObject({ kind: 'response', status: 200 });
    expect(seen).toMatch(/content-length: 23\r\n/i);
    expect(seen.slice(seen.indexOf('\r\n\r\n') + 4)).toBe(bytes.toString('latin1'));
  });

  test.each([301, 302, 303, 307, 308])('a %d is returned and not followed', async (status) => {
    const other = await rawServer((socket) => socket.end(answer('{}')));
    const server = await rawServer((socket) =>
      socket.end(`HTTP/1.1 ${status} Moved\r\nLocation: ${other.url}\r\nContent-Length: 0\r\n\r\n`),
    );
    expect(await post(server.url)).toMatchObject({ kind: 'response', status });
    await settle();
    expect([server.posts(), other.posts()]).toEqual([1, 0]);
  });

  test.each([400, 401, 429, 500, 502, 503, 504])(
    'a %d is returned with its status',
    async (status) => {
      const server = await rawServer((socket) =>
        socket.end(answer('<html>', `HTTP/1.1 ${status} No\r\nContent-Type: text/html`)),
      );
      expect(await post(server.url)).toEqual({
        kind: 'response',
        status,
        body: '<html>',
        contentType: 'text/html',
      });
    },
  );

  test('an answer in pieces, without a length, is read whole', async () => {
    const server = await rawServer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n{"a"');
      setTimeout(() => socket.end(':1}'), 30);
    });
    expect(await post(server.url)).toMatchObject({ kind: 'response', body: '{"a":1}' });
  });

  test('a provisional answer does not count as the answer', async () => {
    const server = await rawServer((socket) =>
      socket.end(`HTTP/1.1 103 Early Hints\r\n\r\n${answer('{"a":1}')}`),
    );
    expect(await post(server.url)).toMatchObject({
      kind: 'response',
      status: 200,
      body: '{"a":1}',
    });
  });
});

describe('unclear: the provider may have the request, and it left exactly once', () => {
  const cases: [string, string, Behaviour][] = [
    ['a reset after reading the request', 'reset', (s) => s.resetAndDestroy()],
    ['an end without any answer', 'closed', (s) => s.end()],
    ['silence', 'timeout', () => undefined],
    ['a head that never ends', 'timeout', (s) => s.write('HTTP/1.1 200 OK\r\nX-')],
    [
      'a body cut before its length',
      'truncated',
      (s) => s.end('HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\n{"status":0'),
    ],
    [
      'a body reset in the middle',
      'reset',
      (s) => {
        // Each turn of the loop reads the client's socket, so the data is read before the reset.
        s.write('HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\n{"status":0', () =>
          setImmediate(() => setImmediate(() => setImmediate(() => s.resetAndDestroy()))),
        );
      },
    ],
    [
      'a chunked body without its end',
      'truncated',
      (s) => s.end('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{"a":\r\n'),
    ],
    ['bytes that are no HTTP', 'garbage', (s) => s.end('!!garbage!!\r\n\r\n')],
    [
      'a broken chunk',
      'garbage',
      (s) => s.end('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n'),
    ],
    [
      'text in another charset',
      'garbage',
      (s) => {
        s.write('HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n');
        s.end(Buffer.from([0x22, 0xfe, 0x22]));
      },
    ],
    [
      'a packed body nobody asked for',
      'garbage',
      (s) => s.end(answer('{}', 'HTTP/1.1 200 OK\r\nContent-Encoding: gzip')),
    ],
    [
      'a change of protocol',
      'garbage',
      (s) => s.write('HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n'),
    ],
    [
      'a body that announces 100 MB',
      'too_large',
      (s) => s.write(`HTTP/1.1 200 OK\r\nContent-Length: ${100 * 1024 * 1024}\r\n\r\n{`),
    ],
    [
      'a body that grows beyond the limit',
      'too_large',
      (s) => s.write(`HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n${'x'.repeat(70 * 1024)}`),
    ],
    [
      'headers without end',
      'garbage',
      (s) => s.write(`HTTP/1.1 200 OK\r\nX-Long: ${'x'.repeat(70 * 1024)}`),
    ],
  ];

  test.each(cases)('%s is "%s"', async (_name, why, behave) => {
    const server = await rawServer(behave);
    const deadlineMs = why === 'timeout' ? SILENT_MS : ANSWERED_MS;
    expect(await post(server.url, { deadlineMs })).toEqual({ kind: 'unclear', why });
    await settle();
    expect(server.posts()).toBe(1);
  });

  test('an answer that drips is cut at the total deadline, however lively it looks', async () => {
    const server = await rawServer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n');
      const drip = setInterval(() => socket.write('x'), 20);
      socket.on('close', () => clearInterval(drip));
    });
    const startedAt = performance.now();
    expect(await post(server.url, { deadlineMs: SILENT_MS })).toEqual({
      kind: 'unclear',
      why: 'timeout',
    });
    expect(performance.now() - startedAt).toBeLessThan(10_000);
    expect(server.posts()).toBe(1);
  });

  test('a list may be larger when the caller says so', async () => {
    const server = await rawServer((socket) => socket.end(answer('x'.repeat(200_000))));
    expect(await post(server.url, { answerMaxBytes: 300_000 })).toMatchObject({
      kind: 'response',
      status: 200,
    });
  });
});

describe('not sent: proved before the first byte', () => {
  test('a closed port is "refused"', async () => {
    const server = await rawServer(() => undefined);
    closers.splice(0).forEach((close) => close());
    expect(await post(server.url)).toEqual({ kind: 'not_sent', why: 'refused' });
  });

  test('a name that does not exist is "dns"', async () => {
    expect(await post('http://no-such-host.invalid/v1')).toEqual({ kind: 'not_sent', why: 'dns' });
  });

  test('a plain server behind https is "tls", and it never saw the request', async () => {
    const server = await rawServer(
      () => undefined,
      (socket) => socket.once('data', () => socket.end('HTTP/1.1 400 Bad\r\n\r\n')),
    );
    expect(await post(server.url.replace('http:', 'https:'))).toEqual({
      kind: 'not_sent',
      why: 'tls',
    });
    expect(server.posts()).toBe(0);
  });

  test('a handshake that is cut or silent is not sent', async () => {
    const cut = await rawServer(
      () => undefined,
      (socket) => socket.once('data', () => socket.destroy()),
    );
    expect(await post(cut.url.replace('http:', 'https:'))).toEqual({
      kind: 'not_sent',
      why: 'tls',
    });
    const silent = await rawServer(() => undefined);
    expect(await post(silent.url.replace('http:', 'https:'), { connectDeadlineMs: 200 })).toEqual({
      kind: 'not_sent',
      why: 'connect_timeout',
    });
  });

  test('a process that was frozen while connecting sends nothing when it wakes', async () => {
    // Here the server's accept and the client's connect event come in the same turn of the event
    // loop, so that the blocked turn ends with an open connection.
    const server = await rawServer(
      (socket) => socket.end(answer('{}')),
      () => {
        const until = performance.now() + 300;
        while (performance.now() < until);
      },
    );
    expect(await post(server.url, { deadlineMs: 150 })).toEqual({
      kind: 'not_sent',
      why: 'connect_timeout',
    });
    await settle();
    expect(server.posts()).toBe(0);
  });

  test.each([
    ['no', () => false],
    [
      'a crash',
      () => {
        throw new Error('lease lost');
      },
    ],
  ])('the last check answering %s holds the request back', async (_name, beforeWrite) => {
    const server = await rawServer((socket) => socket.end(answer('{}')));
    expect(await post(server.url, { beforeWrite })).toEqual({ kind: 'not_sent', why: 'held_back' });
    await settle();
    expect([server.connections(), server.posts()]).toEqual([1, 0]);
  });

  test('the last check is asked once, when the connection stands', async () => {
    const asked: number[] = [];
    const server = await rawServer((socket) => socket.end(answer('{}')));
    await post(server.url, { beforeWrite: () => asked.push(server.posts()) > 0 });
    expect(asked).toEqual([0]);
  });

  test.each([
    ['http://127.0.0.1:1/', { 'x-a': 'line\nbreak' }],
    ['ftp://127.0.0.1/', {}],
    ['not an address', {}],
  ])(
    'a request that cannot be formed (%s) is "unsendable", not an exception',
    async (url, headers) => {
      expect(await post(url, { headers: headers as Record<string, string> })).toEqual({
        kind: 'not_sent',
        why: 'unsendable',
      });
    },
  );
});

test('a proxy named by the environment is not used', async () => {
  const proxy = await rawServer((socket) => socket.end(answer('{}')));
  const server = await rawServer((socket) => socket.end(answer('{"direct":true}')));
  const script = `import { exchange } from ${JSON.stringify(new URL('./transport.ts', import.meta.url).href)};
    const url = ${JSON.stringify(server.url)};
    const result = await exchange({ method: 'POST', url, body: '{"amount":123.40}' });
    console.log(JSON.stringify(result));`;
  const proxyUrl = `http://127.0.0.1:${proxy.port}`;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--conditions=react-server', '--input-type=module', '-e', script],
    {
      env: {
        ...process.env,
        NODE_USE_ENV_PROXY: '1',
        HTTP_PROXY: proxyUrl,
        http_proxy: proxyUrl,
        HTTPS_PROXY: proxyUrl,
        NO_PROXY: '',
        no_proxy: '',
      },
      cwd: new URL('../..', import.meta.url),
    },
  );
  expect(stdout).toContain('direct');
  expect(proxy.connections()).toBe(0);
});
