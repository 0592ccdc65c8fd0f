import { request } from 'node:http';
import { rows } from './database.ts';
import { expect, test } from './story.ts';
import { processes } from './processes.ts';
import { BASE_URL } from './surroundings.ts';

const PAGES = [
  '/',
  '/wallets',
  '/wallets/account',
  '/wallets/new',
  '/wallets/4410270001',
  '/search?q=1.234',
  '/payouts',
  '/payouts/new',
  '/transfers',
  '/transfers/new',
  '/approvals',
  '/policy',
  '/system',
  '/recipients',
  '/batches',
  '/batches/new',
  '/money-in',
  '/money-in/failed',
  '/reports/day-close',
  '/receipts',
  '/receipts/archives',
  '/receipts/archives/new',
  '/payouts/export',
  '/reports/withdrawals?from=2026-11-01&to=2026-11-30',
  '/reports/withdrawals/export',
  '/reports/reconciliation',
  '/cards/payments',
  '/cards/authorizations',
  '/cards/tools',
  '/cards/tools/pos?bin=450803&amount=1000',
  '/cards/tools/links',
  '/cards/tools/connection',
  '/cards/tools/hash-keys',
  '/cards/recurring',
  '/cards/saved?customer=900719',
  '/cards/payments/new',
  '/cards/links',
  '/reports/transactions?from=2026-11-01&to=2026-11-30',
  '/reports/transactions/export',
  '/reports/exports',
  '/developers',
  '/webhooks',
  '/audit',
  '/settings',
  '/settings/passkeys',
  '/help',
];
const MISSING = [
  '/nowhere',
  '/money-in/1',
  '/money-in/failed/00000000-0000-4000-8000-000000000000',
  '/payouts/00000000-0000-4000-8000-000000000000',
  '/transfers/00000000-0000-4000-8000-000000000000',
  '/recipients/00000000-0000-4000-8000-000000000000',
  '/batches/00000000-0000-4000-8000-000000000000',
  '/receipts/00000000-0000-4000-8000-000000000000',
  '/cards/payments/00000000-0000-4000-8000-000000000000',
  '/cards/recurring/00000000-0000-4000-8000-000000000000',
  '/receipts/archives/00000000-0000-4000-8000-000000000000',
  '/wallets/1',
];
const EVERYWHERE = {
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
};
/** The content security policy, with "…" for the nonce. */
const POLICY =
  "default-src 'none'; script-src 'nonce-…' 'strict-dynamic'; style-src 'self' 'nonce-…'; " +
  "img-src 'self' data:; font-src 'self'; connect-src 'self'; form-action 'self'; frame-src " +
  "'self'; frame-ancestors 'none'; base-uri 'none'; object-src 'none'; manifest-src 'self'; " +
  "worker-src 'self'; require-trusted-types-for 'script'; trusted-types default";

test('every page, also a missing one, has the whole policy with a fresh nonce on every script', async ({
  sitDown,
}) => {
  const { context } = await sitDown('selin');
  const seen = new Set<string>();
  for (const path of [...PAGES, ...PAGES, ...MISSING]) {
    const answer = await context.request.get(path);
    expect(answer.status(), path).toBe(MISSING.includes(path) ? 404 : 200);
    expect(answer.headers(), path).toMatchObject(EVERYWHERE);
    expect(answer.headers()['cache-control'], path).toContain('no-store');
    expect(answer.headers()['x-powered-by'], path).toBeUndefined();
    const policy = answer.headers()['content-security-policy'] ?? '';
    expect(policy.replaceAll(/nonce-[A-Za-z0-9+/]{22}==/g, 'nonce-…'), path).toBe(POLICY);
    const nonce = /nonce-([^']+)/.exec(policy)![1]!;
    expect(seen.has(nonce), `${path} repeats a nonce`).toBe(false);
    seen.add(nonce);
    const scripts = [...(await answer.text()).matchAll(/<script\b[^>]*>/g)].map(([tag]) => tag);
    expect(scripts.length, `scripts of ${path}`).toBeGreaterThan(0);
    for (const tag of scripts) expect(tag, path).toContain(`nonce="${nonce}"`);
  }
});

test('the sign-in and its errors have the policy too; a nonce or policy sent by the browser is not taken over', async ({
  openDesk,
}) => {
  const { context } = await openDesk();
  const mine = 'AAAAAAAAAAAAAAAAAAAAAA==';
  for (const path of [
    '/login',
    '/payouts',
    '/nowhere',
    '/_next/image?url=%2Ficon.svg&w=64&q=75',
    '/api/auth/csrf',
  ]) {
    const answer = await context.request.get(path, {
      headers: {
        'x-nonce': mine,
        'content-security-policy': `script-src 'nonce-${mine}'`,
        'x-middleware-subrequest': 'proxy:proxy:proxy:proxy:proxy',
        'x-forwarded-host': 'evil.test',
      },
    });
    expect(answer.headers(), path).toMatchObject(EVERYWHERE);
    expect(answer.headers()['content-security-policy'], path).toContain("default-src 'none'");
    expect(answer.headers()['content-security-policy'], path).not.toContain(mine);
    const text = await answer.text();
    expect(text, path).not.toContain(mine);
    expect(text, path).not.toContain('evil.test');
  }
  expect(
    (await context.request.get('/_next/image?url=%2Ficon.svg&w=64&q=75')).status(),
    'no image optimiser',
  ).toBe(404);
});

test('early answers and failures have the same headers as every answer and reveal nothing', async ({
  sitDown,
}) => {
  const { context } = await sitDown('selin');
  const cookie = `sid=${(await context.cookies()).find(({ name }) => name === 'sid')!.value}`;
  const asked: [method: string, path: string, status: number][] = [
    ['GET', '/payouts/', 308],
    ['GET', '//evil.test/x', 308],
    ['GET', '/login', 307],
    ['GET', '/%ff', 400],
    ['GET', '/payouts/%zz', 400],
    ['GET', '/payouts/%c0%af', 400],
    ['GET', '/wallets/%00', 400],
    ['GET', '/_next/static/none.js', 404],
    ['GET', '/_next/data/x/y.json', 404],
    ['GET', '/favicon.ico', 200],
    ['GET', '/icon.svg', 200],
    ['PUT', '/api/sign-in', 405],
    ['OPTIONS', '/payouts', 400],
    ['TRACE', '/payouts', 400],
    ['POST', '/api/webhooks/x/wallet', 404],
  ];
  const check = async (method: string, path: string): Promise<number> => {
    const { status, headers, text } = await raw(method, path, cookie);
    expect(headers, `${method} ${path}`).toMatchObject(EVERYWHERE);
    if (/text\/html/.test(headers['content-type'] ?? ''))
      expect(headers['content-security-policy'], `${method} ${path}`).toMatch(
        /script-src 'nonce-[A-Za-z0-9+/]{22}=='|default-src 'none'/,
      );
    expect(headers['x-powered-by'], `${method} ${path}`).toBeUndefined();
    if (method !== 'TRACE')
      expect(text, `${method} ${path}`).not.toMatch(/\bat \S+ \(|node_modules|postgres|\.ts:/i);
    return status;
  };
  for (const [method, path, status] of asked)
    expect([await check(method, path), status], `${method} ${path}`).toContain(status);
  await processes.stop('postgres');
  try {
    for (const path of [...PAGES, '/login', '/nowhere']) await check('GET', path);
    expect(await check('GET', '/receipts/00000000-0000-4000-8000-000000000000/raw')).toBe(503);
    expect(await check('GET', '/api/movements/00000000-0000-4000-8000-000000000000')).toBe(503);
  } finally {
    await processes.start('postgres');
    await expect
      .poll(async () => (await fetch(`${BASE_URL}/api/health/ready`)).status, { timeout: 60_000 })
      .toBe(200);
  }
});

/** Requests an address exactly as written, and returns the response without following redirects. */
async function raw(
  method: string,
  path: string,
  cookie: string,
): Promise<{ status: number; headers: Record<string, string>; text: string }> {
  const { hostname, port } = new URL(BASE_URL);
  return new Promise((resolve, reject) => {
    const asking = request({ hostname, port, method, path, headers: { cookie } }, (answer) => {
      let text = '';
      answer.on('data', (chunk: Buffer) => (text += chunk.toString()));
      answer.on('end', () =>
        resolve({
          status: answer.statusCode!,
          headers: answer.headers as Record<string, string>,
          text,
        }),
      );
    });
    asking.on('error', reject);
    asking.end();
  });
}

test('text becomes neither markup nor code in a page, whoever writes it; and no second gate can be made', async ({
  sitDown,
  pageProblems,
}) => {
  const { page } = await sitDown('ayse');
  await page.goto('/payouts');
  await page.waitForLoadState('networkidle');
  const outcomes = await page.evaluate(async () => {
    // Code that the debugger evaluates directly is exempt from the policy; code in a later task
    // belongs to the page.
    await new Promise((done) => setTimeout(done));
    const tries: Record<string, () => unknown> = {
      markup: () =>
        (document.body.appendChild(document.createElement('div')).innerHTML =
          '<img src=x onerror="window.owned=1">'),
      'markup after': () => document.body.insertAdjacentHTML('beforeend', '<b>x</b>'),
      'a document': () => document.write('<b>x</b>'),
      'a script of another site': () =>
        (document.createElement('script').src = 'https://evil.test/x.js'),
      'a script of ours that is no chunk': () =>
        (document.createElement('script').src = '/api/events'),
      'a script as text': () => (document.createElement('script').textContent = 'window.owned=1'),
      // oxlint-disable-next-line no-eval -- what must not work
      code: () => eval('window.owned=1'),
      // oxlint-disable-next-line no-implied-eval -- what must not work
      'code in a timer': () => setTimeout('window.owned=1' as unknown as () => void, 0),
      'a frame with markup': () =>
        (document.createElement('iframe').srcdoc = '<script>parent.owned=1</script>'),
      'another gate': () =>
        (
          window as unknown as {
            trustedTypes: { createPolicy(name: string, rules: object): unknown };
          }
        ).trustedTypes.createPolicy('mine', { createHTML: (text: string) => text }),
      'the gate again': () =>
        (
          window as unknown as {
            trustedTypes: { createPolicy(name: string, rules: object): unknown };
          }
        ).trustedTypes.createPolicy('default', { createHTML: (text: string) => text }),
    };
    return Object.fromEntries(
      Object.entries(tries).map(([name, attempt]) => {
        try {
          attempt();
          return [name, 'done'];
        } catch (error) {
          return [name, (error as Error).name];
        }
      }),
    );
  });
  expect(
    Object.entries(outcomes).filter(([, outcome]) => !['TypeError', 'EvalError'].includes(outcome)),
  ).toEqual([]);
  expect(
    await page.evaluate(() => (window as unknown as { owned?: number }).owned ?? null),
  ).toBeNull();
  // This test provoked these violations.
  pageProblems.length = 0;
});

test('machine addresses say nothing to a browser that should not ask', async ({ openDesk }) => {
  const { context } = await openDesk();
  for (const [method, path, status] of [
    ['GET', '/api/events', 401],
    ['GET', '/api/movements/00000000-0000-4000-8000-000000000000', 401],
    ['GET', '/receipts/00000000-0000-4000-8000-000000000000/raw', 401],
    ['GET', '/api/health/live', 200],
    ['GET', '/api/health/ready', 200],
    ['POST', '/api/webhooks/wrong-key/wallet', 404],
  ] as const) {
    const answer = await context.request.fetch(path, { method });
    expect(answer.status(), path).toBe(status);
    expect(answer.headers()['x-content-type-options'], path).toBe('nosniff');
    expect(answer.headers()['content-security-policy'], path).toContain("default-src 'none'");
    expect(await answer.text(), path).not.toMatch(/secret|postgres:|Bearer/i);
  }
});

test('what a stranger managed to write into a page does not run and reaches nobody', async ({
  sitDown,
  pageProblems,
}) => {
  const { page } = await sitDown('ayse');
  const asked: string[] = [];
  // A request that the policy blocks never reaches this route.
  await page.route('https://evil.test/**', (route) => {
    asked.push(route.request().url());
    return route.abort();
  });
  const injected =
    '<script>window.owned = "inline"</script><script src="https://evil.test/x.js"></script>' +
    '<img src="https://evil.test/p.png" onerror="window.owned = \'handler\'">' +
    '<base href="https://evil.test/"><iframe src="https://evil.test/f"></iframe>' +
    '<link rel="stylesheet" href="https://evil.test/s.css">' +
    '<form id="steal" action="https://evil.test/s" method="post"></form>';
  await page.route('**/payouts', async (route) => {
    const answer = await route.fetch();
    await route.fulfill({
      response: answer,
      body: (await answer.text()).replace('<body>', `<body>${injected}`),
    });
  });
  await page.addInitScript(() => {
    const violations: string[] = [];
    Object.assign(window, { violations });
    addEventListener('securitypolicyviolation', (event) =>
      violations.push(event.effectiveDirective),
    );
  });
  await page.goto('/payouts');
  await page.evaluate(async () => {
    (document.getElementById('steal') as HTMLFormElement).submit();
    await fetch('https://evil.test/c').catch(() => undefined);
  });
  const violations = () =>
    page.evaluate(() =>
      [...new Set((window as unknown as { violations: string[] }).violations)].sort(),
    );
  await expect
    .poll(violations)
    .toEqual([
      'base-uri',
      'connect-src',
      'form-action',
      'frame-src',
      'img-src',
      'script-src-attr',
      'script-src-elem',
      'style-src-elem',
    ]);
  expect(
    await page.evaluate(() => ({
      owned: (window as unknown as { owned?: string }).owned ?? null,
      base: document.baseURI,
    })),
  ).toEqual({ owned: null, base: `${BASE_URL}/payouts` });
  expect(asked).toEqual([]);
  // This test provoked these violations, and React's errors about a page that its script did not
  // expect.
  pageProblems.length = 0;
});

test('hidden direction marks stored before they were escaped are drawn in their escaped form', async ({
  sitDown,
}) => {
  const { page } = await sitDown('selin');
  const name = 'Ali \u202egnp.exe';
  try {
    await rows(
      `INSERT INTO ledger_records (merchant_id, id, type_id, status_id, direction, amount_minor,
        fee_minor, currency, to_wallet, sender_name, description, created_at, completed_at, raw)
      VALUES ((SELECT merchant_id FROM people WHERE email = 'selin@demo.test'), 'turned-around',
        1004, 20, 'in', 12345, 0, 'TRY', '4410270001', $1, $1, now(), now(), $2)`,
      [name, JSON.stringify({ [name]: name })],
    );
    for (const path of [
      '/money-in',
      '/money-in/turned-around',
      '/reports/transactions',
      '/reports/transactions/turned-around',
    ]) {
      await page.goto(path);
      await expect(page.getByText('Ali [U+202E]gnp.exe').first(), path).toBeAttached();
      expect(await page.locator('body').innerText(), path).not.toMatch(
        /[\u202a-\u202e\u2066-\u2069]/,
      );
      expect(await page.title(), path).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
    }
  } finally {
    await rows(`DELETE FROM ledger_records WHERE id = 'turned-around'`);
  }
});

test('what the browser gets names no secret of a provider and no session of ours', async ({
  sitDown,
}) => {
  const { page, context } = await sitDown('selin');
  const bodies: Promise<string>[] = [];
  page.on('response', (response) => {
    if (response.url().startsWith(BASE_URL) && !response.url().includes('/api/events'))
      bodies.push(response.text().catch(() => ''));
  });
  for (const path of ['/', '/payouts', '/settings']) await page.goto(path);
  const cookie = (await context.cookies()).find(({ name }) => name === 'sid')!.value;
  const text = (await Promise.all(bodies)).join('\n');
  expect(text.length).toBeGreaterThan(100_000);
  for (const secret of [
    cookie,
    'client_secret',
    'app_secret',
    'WALLET_CLIENT',
    'CARD_APP',
    'AUTH_SECRET',
    'postgres://',
    'postgresql://',
  ])
    expect(text).not.toContain(secret);
});
