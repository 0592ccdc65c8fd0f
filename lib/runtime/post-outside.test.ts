import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it, vi } from 'vitest';
import { postOutside } from './post-outside.ts';

/** A message to an address outside: what is said of one that did not arrive. */

const addresses = vi.hoisted(() => ({ found: [] as { address: string; family: number }[] }));
vi.mock('node:dns', () => ({
  lookup: (_host: string, _options: object, done: (error: null, found: object[]) => void) =>
    done(null, addresses.found),
}));

afterEach(() => {
  vi.restoreAllMocks();
});

const post = (url: string, sandbox = false) => postOutside(new URL(url), {}, '{}', { sandbox });

it.each([
  ['a private address', [{ address: '10.0.0.1', family: 4 }]],
  [
    'a private address beside a public one',
    [
      { address: '8.8.8.8', family: 4 },
      { address: 'fd00::1', family: 6 },
    ],
  ],
  ['no address', []],
])('a name that leads to %s is not connected to, and the fault says why', async (_what, found) => {
  addresses.found = found;
  expect(await post('https://example.com/hook')).toEqual({
    kind: 'failed',
    isConnected: false,
    why: 'not_public',
  });
});

it('a server that answers by changing to another protocol has answered, and nobody waits for it', async () => {
  const server = createServer();
  const answer =
    'HTTP/1.1 101 Switching Protocols\r\nUpgrade: other\r\nConnection: Upgrade\r\n\r\n';
  server.on('request', (request) => request.socket.end(answer));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  const answered = await post(`http://127.0.0.1:${port}/hook`, true);
  server.closeAllConnections();
  server.close();
  expect(answered).toEqual({ kind: 'answered', status: 101 });
});

it('a server that never answers has run out of time', async () => {
  const over = new AbortController();
  // The time ends once the request has arrived.
  const server = createServer(() => over.abort());
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  vi.spyOn(AbortSignal, 'timeout').mockReturnValue(over.signal);
  const { port } = server.address() as AddressInfo;
  expect(await post(`http://127.0.0.1:${port}/hook`, true)).toEqual({
    kind: 'failed',
    isConnected: true,
    why: 'timed_out',
  });
  server.closeAllConnections();
  server.close();
});
