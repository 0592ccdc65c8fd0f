import { connect, createServer, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { testMerchant, type TestMerchant } from '#lib/testing/database.ts';

/** A database server whose machine is gone: connections stay open and nothing answers. */

/** An answer is waited for five seconds (db.ts). A busy machine may add to it. */
const FOUND_MS = 15_000;
/** Less than the wait for one more silent connection. */
const ANSWERED_MS = 4_500;

let merchant: TestMerchant;
let proxy: Server;
const sockets = new Set<Socket>();

beforeAll(async () => {
  merchant = await testMerchant();
  const real = new URL(process.env['DATABASE_URL']!);
  proxy = createServer((client) => {
    const server = connect(Number(real.port), real.hostname);
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      sockets.add(from);
      from.on('error', () => undefined);
      from.on('data', (data) => {
        if (silentFrom !== '' && data.includes(silentFrom)) silence();
        if (!silenced.has(from)) to.write(data);
      });
      from.on('close', () => to.destroy());
    }
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const address = proxy.address() as { port: number };
  const through = new URL(real);
  through.port = String(address.port);
  process.env['DATABASE_URL'] = through.href;
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  proxy.close();
  await merchant.close();
});

/** The connections that are open at this moment are silent from now on; new ones are answered. */
const silenced = new Set<Socket>();
/** The text of the statement with which the connections become silent; '' for none. */
let silentFrom = '';
function silence(): void {
  for (const socket of sockets) silenced.add(socket);
}

/** `backMs`: by how much the clock is set back when the server becomes silent. */
async function expectFound(backMs: number): Promise<void> {
  vi.resetModules();
  const { inOne, sql, disconnect } = await import('./db.ts');
  const ask = () =>
    inOne<{ one: number }>(merchant.merchantId, sql`SELECT 1 AS one, pg_sleep(0.2)`);
  await Promise.all([ask(), ask(), ask(), ask()]);
  silence();
  const setClock = Date.now() - backMs;
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => setClock);
  const began = performance.now();
  await expect(ask()).rejects.toThrow();
  expect(performance.now() - began).toBeLessThan(FOUND_MS);
  const again = performance.now();
  await expect(ask()).resolves.toMatchObject([{ one: 1 }]);
  expect(performance.now() - again).toBeLessThan(ANSWERED_MS);
  clock.mockRestore();
  await disconnect();
}

it('a silent server is found in a few seconds, and its other idle connections are not used', () =>
  expectFound(0));

it('a silent server is found, and nothing of it used, also when the clock is set back', () =>
  expectFound(60_000));

it('a listening connection to a silent server ends in a few seconds', async () => {
  vi.resetModules();
  const { listen } = await import('./db.ts');
  const listener = await listen('due', () => undefined);
  const ended = new Promise<void>((resolve) => listener.once('end', () => resolve()));
  silence();
  const began = Date.now();
  await ended;
  expect(Date.now() - began).toBeLessThan(FOUND_MS);
});

it('a server that is silent from the first statement of a listening connection is given up', async () => {
  vi.resetModules();
  const { listen } = await import('./db.ts');
  silentFrom = 'LISTEN';
  const began = Date.now();
  await expect(listen('due', () => undefined)).rejects.toThrow();
  expect(Date.now() - began).toBeLessThan(FOUND_MS);
  silentFrom = '';
});
