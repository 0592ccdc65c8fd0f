import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { randomUUID } from 'node:crypto';
import http from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testMerchant } from '#lib/testing/database.ts';
import type { TestMerchant } from '#lib/testing/database.ts';
import { freePort } from '../scripts/ports.ts';

/** The process that serves webhooks alone, ended in the middle of a flood. */

const CONNECTIONS = 32;
/** The process is killed after this many acknowledged webhooks, while others are under way. */
const ACKNOWLEDGED = 400;

let merchant: TestMerchant;
beforeAll(async () => {
  merchant = await testMerchant();
});
afterAll(() => merchant.close());

async function start(): Promise<{ child: ChildProcess; url: string; origin: string }> {
  const port = await freePort();
  const child = spawn(process.execPath, ['--conditions=react-server', 'lib/web/webhooks.ts'], {
    env: { ...process.env, NODE_ENV: 'production', PORT: String(port), NODE_OPTIONS: '' },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  // The process announces that it listens.
  const [message] = await once(child, 'message');
  expect(message).toEqual({ ready: true });
  const origin = `http://127.0.0.1:${port}`;
  return { child, origin, url: `${origin}/api/webhooks/${process.env['WEBHOOK_KEY']}/wallet` };
}

/** Sends bodies until a request fails, and returns those that were answered 200. */
async function flood(url: string, onAnswer: (acknowledged: number) => void): Promise<string[]> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const acknowledged: string[] = [];
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      for (;;) {
        const body = JSON.stringify({ ext_transaction_id: `P-${randomUUID()}` });
        const status = await new Promise<number>((resolve) => {
          const sent = http.request(url, { method: 'POST', agent }, (answer) => {
            answer.resume();
            resolve(answer.statusCode!);
          });
          sent.on('error', () => resolve(0));
          sent.end(body);
        });
        if (status !== 200) return;
        acknowledged.push(body);
        onAnswer(acknowledged.length);
      }
    }),
  );
  agent.destroy();
  return acknowledged;
}

async function missing(bodies: readonly string[]): Promise<string[]> {
  const { rows } = await merchant.owner.query<{ body: string }>(
    `SELECT body FROM unnest($2::text[]) AS body WHERE NOT EXISTS
      (SELECT FROM notices n WHERE n.merchant_id = $1 AND n.body = body.body)`,
    [merchant.merchantId, bodies],
  );
  return rows.map(({ body }) => body);
}

test('kill -9 in the middle of a flood loses no webhook that was answered 200', async () => {
  const { child, url } = await start();
  const ended = once(child, 'exit');
  const acknowledged = await flood(url, (count) => {
    if (count === ACKNOWLEDGED) child.kill('SIGKILL');
  });
  expect(await ended).toEqual([null, 'SIGKILL']);
  expect(acknowledged.length).toBeGreaterThanOrEqual(ACKNOWLEDGED);
  expect(await missing(acknowledged)).toEqual([]);
});

test('SIGTERM in the middle of a flood answers what has arrived, then ends with 0', async () => {
  const { child, url } = await start();
  const ended = once(child, 'exit');
  const acknowledged = await flood(url, (count) => {
    if (count === ACKNOWLEDGED) child.kill('SIGTERM');
  });
  expect(await ended).toEqual([0, null]);
  expect(await missing(acknowledged)).toEqual([]);
});

test('it serves webhooks and health alone', async () => {
  const { child, origin } = await start();
  expect((await fetch(`${origin}/api/health/live`)).status).toBe(200);
  for (const path of ['/', '/login', '/payouts', '/api/payouts', '/_next/static/x.js'])
    expect((await fetch(`${origin}${path}`)).status, path).toBe(404);
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
});
