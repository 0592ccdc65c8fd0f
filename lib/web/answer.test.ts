import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { metricsText } from '#lib/runtime/metrics.ts';
import { giveWay } from '#lib/webhooks/give-way.ts';
import { createFront } from './answer.ts';

let server: Server;
const waiting = new Map<string, ServerResponse>();

async function start(pages?: Parameters<typeof createFront>[0]['pages']) {
  const front = createFront({
    files: () => false,
    pages:
      pages ??
      (async (request, response) => {
        waiting.set(request.url!, response.writeHead(200));
        response.flushHeaders();
      }),
  });
  server = createServer(front.answer);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { front, origin };
}
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

test('a stop waits for the answers that are being made, and for no stream', async () => {
  const { front, origin } = await start();
  await fetch(`${origin}/api/events`);
  await front.idle();
  const page = await fetch(`${origin}/payouts?q=1`);
  let isIdle = false;
  void front.idle().then(() => (isIdle = true));
  await new Promise((resolve) => setImmediate(resolve));
  expect(isIdle).toBe(false);
  waiting.get('/payouts?q=1')!.end('done');
  expect(await page.text()).toBe('done');
  await vi.waitFor(() => expect(isIdle).toBe(true), 15_000);
});

test('webhooks give way while a page is being made, and only then', async () => {
  const { front, origin } = await start();
  const rests = (): Promise<boolean> =>
    Promise.race([
      giveWay().then(() => false),
      new Promise<boolean>((resolve) => setImmediate(() => resolve(true))),
    ]);
  expect(await rests()).toBe(false);
  await fetch(`${origin}/payouts`);
  expect(await rests()).toBe(true);
  waiting.get('/payouts')!.end();
  await front.idle();
  expect(await rests()).toBe(false);
});

test('a handler that fails is answered 500 without a word', async () => {
  const { origin } = await start(() => Promise.reject(new Error('TR00 secret')));
  const answer = await fetch(`${origin}/payouts`);
  expect([answer.status, await answer.text()]).toEqual([500, '']);
});

test('the figures count requests by kind and status, and name no address', async () => {
  const { origin } = await start(async (_request, response) => void response.writeHead(418).end());
  await fetch(`${origin}/payouts/secret-of-a-person`);
  await fetch(`${origin}/api/webhooks/secret-key/wallet`);
  await vi.waitFor(
    async () =>
      expect(await metricsText()).toMatch(
        /^dashboard_requests_total\{kind="page",status="418"\} 1$/m,
      ),
    15_000,
  );
  const text = await metricsText();
  expect(text).toMatch(/^dashboard_requests_total\{kind="webhook",status="405"\} 1$/m);
  expect(text).toMatch(/^dashboard_request_seconds_bucket\{kind="page",le="\+Inf"\} \d+$/m);
  expect(text).toMatch(/^process_resident_memory_bytes \d+$/m);
  expect(text).not.toContain('secret');
  for (const line of text.trim().split('\n'))
    expect(line).toMatch(/^(?:# (?:HELP|TYPE) \w+ .+|\w+(?:\{[^}]*\})? [\d.e+-]+)$/);
});
