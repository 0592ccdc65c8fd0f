import { request } from 'node:http';
import { connect } from 'node:net';
import { expect, test } from './story.ts';
import { emailOf } from './sign-in.ts';
import { BASE_URL } from './surroundings.ts';

/** Every address, valid or not, is answered with the same headers, and never with a 5xx status. */

const EVERYWHERE = {
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
};
const ID = '00000000-0000-4000-8000-000000000000';
const PAGES = [
  '/',
  '/login',
  '/wallets',
  '/wallets/1',
  '/payouts',
  '/payouts/new',
  `/payouts/${ID}`,
  '/payouts/export',
  '/transfers',
  '/transfers/new',
  `/transfers/${ID}`,
  '/approvals',
  '/policy',
  '/system',
  '/recipients',
  '/recipients/bring',
  '/batches',
  '/batches/new',
  `/batches/${ID}`,
  `/recipients/${ID}`,
  '/money-in',
  '/money-in/failed',
  '/cards/payments',
  `/cards/payments/${ID}`,
  `/cards/payments/${ID}/take`,
  '/cards/authorizations',
  '/cards/saved',
  '/cards/recurring',
  `/cards/recurring/${ID}`,
  '/cards/links',
  '/cards/tools',
  '/cards/tools/connection',
  '/reports/transactions',
  '/reports/withdrawals',
  '/reports/reconciliation',
  '/reports/day-close',
  '/reports/exports',
  '/receipts',
  `/receipts/${ID}`,
  '/receipts/archives',
  '/search',
  '/developers',
  '/webhooks',
  '/audit',
  '/notifications',
  '/settings',
  '/settings/passkeys',
  '/help',
];
const MACHINE = [
  '/api/health/live',
  '/api/health/ready',
  '/api/webhooks/key/wallet',
  '/api/webhooks/key/card',
  '/api/events',
  '/api/auth/csrf',
  '/api/sign-in',
  '/api/sign-out',
  '/api/cards/return',
  `/api/movements/${ID}`,
  '/api/payouts',
  '/api/batches',
  '/api/batches/template',
  '/api/search',
  '/api/waiting',
  `/receipts/${ID}/raw`,
  '/favicon.ico',
  '/icon.svg',
  '/apple-icon.png',
  '/manifest.webmanifest',
  '/service-worker.js',
  '/offline.html',
  '/robots.txt',
  '/_next/static/x.js',
  '/_next/image',
];
const ENDINGS = [
  'x',
  '/',
  '/x',
  '//',
  '/..',
  '%2f',
  '%2e%2e',
  '%ff',
  '%',
  '%00',
  '%09',
  '?',
  '?next=/%09/evil.test',
  ';x',
  '.json',
  '.txt',
];
const NEAR_MISSES = 500;
const LIMIT_MS = 300_000;

/** Requests an address exactly as written, and returns the response without following redirects. */
function ask(
  path: string,
  { method = 'GET', headers = {} }: { method?: string; headers?: Record<string, string> } = {},
): Promise<{ status: number; headers: Record<string, string> }> {
  const { hostname, port } = new URL(BASE_URL);
  return new Promise((resolve, reject) => {
    const asking = request({ hostname, port, method, path, headers }, (answer) => {
      resolve({ status: answer.statusCode!, headers: answer.headers as Record<string, string> });
      answer.destroy();
    });
    asking.on('error', reject);
    asking.end();
  });
}

/**
 * Sends a raw request that Node's HTTP client would refuse to send; resolves with the response's
 * status and headers.
 */
function askRaw(head: string[]): Promise<{ status: number; headers: Record<string, string> }> {
  const { hostname, port } = new URL(BASE_URL);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () =>
      socket.write(`${[...head, 'Connection: close'].join('\r\n')}\r\n\r\n`),
    );
    socket.once('data', (chunk: Buffer) => {
      const [first = '', ...lines] = chunk.toString().split('\r\n\r\n', 1)[0]!.split('\r\n');
      resolve({
        status: Number(first.split(' ')[1]),
        headers: Object.fromEntries(
          lines.map((line) => [
            line.split(':', 1)[0]!.toLowerCase(),
            line.slice(line.indexOf(':') + 1).trim(),
          ]),
        ),
      });
      socket.destroy();
    });
    socket.once('error', reject);
  });
}

function expectGuarded(
  path: string,
  { status, headers }: { status: number; headers: Record<string, string> },
): void {
  // The address of health answers 503 while something is not ready.
  if (!path.startsWith('/api/health/ready')) expect(status, path).toBeLessThan(500);
  expect(headers, path).toMatchObject(EVERYWHERE);
  expect(headers['content-security-policy'], path).toContain("default-src 'none'");
  expect(headers['content-security-policy'], path).toMatch(
    /frame-ancestors '(?:none|self)'|^sandbox; default-src 'none'$/,
  );
  const isIcon = ['/icon.svg', '/favicon.ico'].includes(path.split('?', 1)[0]!);
  expect(headers['cache-control'], path).toMatch(
    status < 400 && (path.startsWith('/_next/static/') || isIcon) ? /./ : /no-store/,
  );
  expect(headers['x-powered-by'], path).toBeUndefined();
  expect(headers['location'] ?? '/', path).toMatch(/^(?:\/(?![/\\])|http:\/\/127\.0\.0\.1)/);
}

test(`${NEAR_MISSES} addresses that are nearly ours answer as any other, all headers and no fault`, async ({
  sitDown,
}) => {
  test.setTimeout(LIMIT_MS);
  const { context } = await sitDown('selin');
  const cookie = `sid=${(await context.cookies()).find(({ name }) => name === 'sid')!.value}`;
  const all = [...PAGES, ...MACHINE].flatMap((path) => ENDINGS.map((ending) => `${path}${ending}`));
  const step = Math.max(1, Math.floor(all.length / NEAR_MISSES));
  const walked = all.filter((_path, index) => index % step === 0).slice(0, NEAR_MISSES);
  expect(walked).toHaveLength(NEAR_MISSES);
  for (const [index, path] of walked.entries())
    expectGuarded(path, await ask(path, { headers: index % 2 === 0 ? { cookie } : {} }));
});

for (const person of [null, 'ayse', 'mehmet', 'selin', 'can', 'deniz'] as const) {
  test(`every address answers ${person === null ? 'whoever is signed out' : emailOf(person)} with headers`, async ({
    sitDown,
  }) => {
    test.setTimeout(LIMIT_MS);
    const headers: Record<string, string> = {};
    if (person !== null) {
      const { context } = await sitDown(person);
      headers['cookie'] =
        `sid=${(await context.cookies()).find(({ name }) => name === 'sid')!.value}`;
    }
    for (const path of [...PAGES, ...MACHINE]) expectGuarded(path, await ask(path, { headers }));
  });
}

/** Lists with a place in their address, by the rest of it. */
const LISTS = {
  '/payouts': ID,
  '/transfers': ID,
  '/recipients': ID,
  '/money-in': 'x',
  '/money-in/failed': ID,
  '/cards/payments': ID,
  '/cards/recurring': ID,
  '/receipts': ID,
  '/notifications': ID,
  '/reports/transactions': 'x',
  '/reports/withdrawals': 'x',
};
const NO_INSTANTS = ['2026-99-99T99:99:99', '2026-02-30T00:00:00', '0000-01-01T00:00:00'];
const NO_DAYS = [
  '/cards/authorizations?day=0000-01-01',
  '/reports/reconciliation?open=1&before=0000-01-01',
  '/reports/day-close?day=0000-01-01',
  '/reports/withdrawals?completed=constructor',
];

test('a place or a day that does not exist is as if the address did not name it', async ({
  sitDown,
}) => {
  test.setTimeout(LIMIT_MS);
  const { context } = await sitDown('selin');
  const places = Object.entries(LISTS).flatMap(([path, id]) =>
    NO_INSTANTS.flatMap((instant) => {
      const at = `${instant}.${path === '/notifications' ? '000' : '000000'}Z`;
      const isIdFirst = ['/payouts', '/transfers', '/recipients'].includes(path);
      return `${path}?after=${isIdFirst ? `${id}_${at}` : `${at}_${id}`}`;
    }),
  );
  for (const path of [...places, ...NO_DAYS]) {
    const answer = await context.request.get(path);
    expect(answer.status(), path).toBe(200);
    // How the framework marks a part of the page that failed after its beginning was sent.
    expect(await answer.text(), path).not.toMatch(/data-dgst="(?!NEXT_|BAILOUT)/);
  }
});

test('what cannot be read, echoes, names two hosts or is too large is refused before anybody is asked', async () => {
  const post = (headers: Record<string, string>) =>
    ask('/api/sign-out', { method: 'POST', headers });
  expect((await ask('/payouts', { method: 'TRACE' })).status).toBe(400);
  expect(
    (await ask('/nowhere', { headers: { rsc: '1', 'next-router-state-tree': 'garbage' } })).status,
  ).toBe(400);
  expect((await ask('/login?next=%00')).status).toBe(400);
  expect(
    (await askRaw(['GET /payouts HTTP/1.1', 'Host: desk.test', 'Host: evil.test'])).status,
  ).toBe(400);
  const large = await post({
    'content-type': 'application/json',
    'content-length': String(64 * 1024 * 1024),
  });
  expect(large.status).toBe(413);
  expectGuarded('/api/sign-out', large);
  const broken = await fetch(`${BASE_URL}/api/auth/callback/credentials`, {
    method: 'POST',
    headers: { origin: BASE_URL, 'content-type': 'application/json' },
    body: '{"code":',
  });
  expect(broken.status).toBe(400);
  expect(
    (
      await ask('/api/auth/callback/credentials', {
        method: 'POST',
        headers: { 'transfer-encoding': 'chunked' },
      })
    ).status,
  ).toBe(411);
});

test('what Node answers by itself, and what asks for another protocol, is answered with every header too', async () => {
  const host = 'Host: desk.test';
  const websocket = [
    'Upgrade: websocket',
    'Connection: Upgrade',
    'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
    'Sec-WebSocket-Version: 13',
  ];
  for (const [status, head] of [
    [400, ['nonsense']],
    [400, ['GET / HTTP/1.1', host, 'Bad Name: x']],
    [400, ['POST /api/sign-in HTTP/1.1', host, 'Content-Length: 1', 'Transfer-Encoding: chunked']],
    [431, ['GET / HTTP/1.1', host, `X: ${'x'.repeat(20_000)}`]],
    [307, ['GET /socket HTTP/1.1', host, ...websocket]],
    [200, ['GET /login HTTP/1.1', host, ...websocket]],
    [200, ['GET /api/health/live HTTP/1.1', host, ...websocket]],
  ] as const) {
    const answer = await askRaw([...head]);
    expect(answer.status, head.join(' ').slice(0, 80)).toBe(status);
    expectGuarded(head[0]!.split(' ')[1] ?? '', answer);
  }
});

test('a sign-in leads to a page of ours, whatever its address says', async ({ sitDown }) => {
  const { context } = await sitDown('selin');
  const cookie = `sid=${(await context.cookies()).find(({ name }) => name === 'sid')!.value}`;
  for (const next of [
    '/%09/evil.test',
    '/%09%5Cevil.test',
    '/%0a/evil.test',
    '//evil.test',
    '/%5Cevil.test',
    '/%0d%0aSet-Cookie:a=b',
    '%2F%2Fevil.test',
  ]) {
    const { status, headers } = await ask(`/login?next=${next}`, { headers: { cookie } });
    expect([status, headers['location']], next).toEqual([307, '/']);
  }
  for (const [next, place] of [
    ['/payouts%3Fstate=UNKNOWN', '/payouts?state=UNKNOWN'],
    ['/wallets/%F0%9F%98%80', '/wallets/%F0%9F%98%80'],
    ['/wallets/%E2%80%A8', '/wallets/%E2%80%A8'],
  ] as const) {
    const { status, headers } = await ask(`/login?next=${next}`, { headers: { cookie } });
    expect([status, headers['location']], next).toEqual([307, place]);
  }
});
