import { createDecipheriv, createHash, hkdfSync } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, type Desk } from './story.ts';
import { rows } from './database.ts';
import { expectState, send, wanted } from './payout.ts';
import { emailOf, PASSWORD, typeCode, typePassword } from './sign-in.ts';
import { BASE_URL, DATA_DIR, SANDBOX_URL } from './surroundings.ts';

const PAGES = [
  '/',
  '/wallets',
  '/wallets/account',
  '/wallets/4410270001',
  '/payouts',
  '/payouts/new',
  '/receipts',
  '/webhooks',
  '/audit',
  '/settings',
];
/** The beginning of every token of the sandbox's wallet service. */
const WALLET_TOKEN_HEAD = Buffer.from(JSON.stringify({ alg: 'HS256', typ: 'at+jwt' })).toString(
  'base64url',
);

/**
 * Everything that a browser received during `visit`: bodies, headers, addresses, and its storage. A
 * receipt's document is left out: it is the bank's own, in a sandboxed iframe.
 */
async function givenTo(desk: Desk, visit: () => Promise<void>): Promise<string> {
  const given: Promise<string>[] = [];
  desk.page.on('response', (response) => {
    if (!response.url().startsWith(BASE_URL) || response.url().endsWith('/raw')) return;
    const body = response.url().includes('/api/events')
      ? Promise.resolve('')
      : response.text().catch(() => '');
    given.push(
      Promise.all([response.url(), response.allHeaders().then(JSON.stringify), body]).then(
        (parts) => parts.join('\n'),
      ),
    );
  });
  await visit();
  return `${(await Promise.all(given)).join('\n')}\n${JSON.stringify(await desk.context.storageState())}`;
}

/**
 * The payloads of the same pages as the router fetches them, and the live stream's messages
 * meanwhile.
 */
async function alsoGiven({ context, page }: Desk, paths: string[]): Promise<string> {
  const payloads = await Promise.all(
    paths.map(async (path) => (await context.request.get(path, { headers: { rsc: '1' } })).text()),
  );
  const texts = await page.evaluate(async () => {
    const answer = await fetch('/api/events');
    const reader = answer.body!.getReader();
    const first = await reader.read();
    await reader.cancel();
    return new TextDecoder().decode(first.value);
  });
  return [...payloads, texts].join('\n');
}

async function secretsOf(): Promise<{ own: Record<string, string>; provider: string[] }> {
  const own = JSON.parse(readFileSync(join(DATA_DIR, 'secrets.json'), 'utf8')) as Record<
    string,
    string
  >;
  const { card, wallet } = (await (await fetch(`${SANDBOX_URL}/sandbox/credentials`)).json()) as {
    card: Record<string, string>;
    wallet: Record<string, string>;
  };
  return {
    own,
    provider: [card.app_secret!, card.merchant_key!, wallet.client_secret!, wallet.client_id!],
  };
}

/**
 * The provider's token of that person's session, decrypted with the data folder's key, as the
 * product does it.
 */
async function providerToken(person: 'ayse' | 'can', dataKey: string): Promise<string> {
  const [row] = await rows<{ id: string; provider_sealed: Buffer }>(
    `SELECT s.id, s.provider_sealed FROM sessions s JOIN people p ON p.id = s.person_id
      WHERE p.email = $1 ORDER BY s.created_at DESC LIMIT 1`,
    [emailOf(person)],
  );
  const sealed = row!.provider_sealed.subarray(5);
  const key = Buffer.from(hkdfSync('sha256', dataKey, 'dashboard', 'provider-token', 32));
  const opened = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, 12))
    .setAAD(Buffer.from(row!.id))
    .setAuthTag(sealed.subarray(12, 28));
  return Buffer.concat([opened.update(sealed.subarray(28)), opened.final()]).toString('utf8');
}

/** The folder of the build that is being served. */
async function buildFolder(): Promise<string> {
  const buildId = /\\"b\\":\\"([^\\"]+)\\"/.exec(
    await (await fetch(`${BASE_URL}/login`)).text(),
  )![1];
  return readdirSync('.builds')
    .map((name) => join('.builds', name))
    .find(
      (path) =>
        existsSync(join(path, 'BUILD_ID')) &&
        readFileSync(join(path, 'BUILD_ID'), 'utf8') === buildId,
    )!;
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

test('no token, key or password is in the browser, in a build file, or readable in the database', async ({
  openDesk,
}) => {
  const desk = await openDesk();
  const { page } = desk;
  let code = '';
  let given = await givenTo(desk, async () => {
    await page.goto('/login?next=/settings');
    code = await typePassword(page, 'tr', emailOf('ayse'));
    await typeCode(page, 'tr', code);
    // The navigation has to finish before the next one begins.
    await expect(page).not.toHaveURL(/\/login/);
    await page.waitForLoadState();
    await send(desk, wanted());
    await expectState(desk, 'COMPLETED', 30_000);
    for (const path of PAGES) await page.goto(path);
  });
  given += await alsoGiven(desk, [...PAGES, new URL(page.url()).pathname]);
  expect(given.length).toBeGreaterThan(200_000);
  const { own, provider } = await secretsOf();
  const bearer = await providerToken('ayse', own.DATA_KEY!);
  expect(bearer.length).toBeGreaterThan(20);
  const secrets = [bearer, WALLET_TOKEN_HEAD, PASSWORD, ...provider, ...Object.values(own)];
  for (const secret of secrets)
    expect(given.includes(secret), `the browser was given ${secret.slice(0, 3)}…`).toBe(false);
  expect(JSON.stringify(await desk.context.cookies())).not.toContain(code);

  const files = filesBelow(await buildFolder()).filter((path) =>
    /\.(js|json|html|rsc|css|map|txt|body|meta)$/.test(path),
  );
  expect(files.length).toBeGreaterThan(100);
  // An assertion for each pair of file and secret would take most of a minute.
  const holders = files.flatMap((file) => {
    const text = readFileSync(file, 'utf8');
    return secrets
      .filter((one) => one !== PASSWORD && text.includes(one))
      .map((secret) => `${file} holds ${secret.slice(0, 3)}…`);
  });
  expect(holders).toEqual([]);

  const tables = await rows<{ name: string }>(
    `SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = 'public'`,
  );
  for (const { name } of tables) {
    // The values are compared as bytes: an encrypted value must not contain its plain text.
    const [held] = await rows<{ text: string | null }>(
      `SELECT string_agg(t::text, E'\n') AS text FROM ${name} t`,
    );
    const text = held!.text ?? '';
    for (const secret of [...secrets, code]) {
      const bytes = Buffer.from(secret).toString('hex');
      if (secret.length > 6)
        expect(
          text.includes(secret) || text.includes(bytes),
          `${name} holds ${secret.slice(0, 3)}…`,
        ).toBe(false);
    }
  }
});

/**
 * The inline scripts that Next.js and React write into a page: data, the loader, forms that were
 * submitted before hydration, and streamed parts. No other inline script is allowed, neither ours
 * nor a third party's.
 */
const FRAMEWORK_INLINE =
  /^(?:\(globalThis\["TURBOPACK"\]|\(self\.__next_f=self\.__next_f\|\|\[\]\)\.push\(|self\.__next_[frs]|\$R[A-Z]|requestAnimationFrame\(function\(\)\{\$RT|addEventListener\("submit",function\(a\)\{if\(!a\.defaultPrevented)/;

test('the scripts of every page are exactly the files of the build, byte for byte, and no others', async ({
  sitDown,
  openDesk,
}) => {
  test.setTimeout(240_000);
  const folder = join(await buildFolder(), 'static');
  const inventory = new Map(
    filesBelow(folder)
      .filter((file) => file.endsWith('.js'))
      .map((file) => [
        `/_next/static/${file.slice(folder.length + 1)}`,
        sha384(readFileSync(file)),
      ]),
  );
  expect(inventory.size).toBeGreaterThan(10);
  const served = new Set<string>();
  for (const desk of [await sitDown('selin'), await openDesk()]) {
    const elsewhere: string[] = [];
    desk.page.on('request', (request) => {
      const { origin, pathname } = new URL(request.url());
      if (origin !== BASE_URL) elsewhere.push(request.url());
      else if (request.resourceType() === 'script') served.add(pathname);
    });
    for (const path of [...PAGES, '/login']) {
      await desk.page.goto(path);
      const inline = await desk.page.locator('script:not([src])').evaluateAll((all) =>
        all.map((one) => ({
          nonce: (one as HTMLScriptElement).nonce !== '',
          text: (one.textContent ?? '').slice(0, 60),
        })),
      );
      for (const script of inline) {
        expect(script.nonce, `${path}: ${script.text}`).toBe(true);
        expect(script.text, path).toMatch(FRAMEWORK_INLINE);
      }
    }
    expect(elsewhere, 'asked of anybody else').toEqual([]);
    for (const pathname of served)
      expect(sha384(await (await desk.context.request.get(pathname)).body()), pathname).toBe(
        inventory.get(decodeURIComponent(pathname)),
      );
  }
  expect(served.size).toBeGreaterThan(5);
});

test('who may only look finds no whole IBAN and no whole tax number, in no page, payload, address or answer', async ({
  sitDown,
}) => {
  test.setTimeout(240_000);
  const clerk = await sitDown('ayse');
  const want = wanted();
  const id = await send(clerk, want);
  await expectState(clerk, 'COMPLETED', 30_000);
  const [receipt] = await rows<{ id: string }>('SELECT id FROM receipts WHERE movement_id = $1', [
    id,
  ]);
  const notices = () =>
    rows<{ id: string }>('SELECT id::text FROM notices WHERE movement_id = $1', [id]);
  // A read may complete the payout before its webhook is stored.
  await expect.poll(async () => (await notices()).length).toBeGreaterThan(0);
  const [notice] = await notices();
  const paths = [
    ...PAGES.filter((path) => path !== '/payouts/new'),
    `/payouts/${id}`,
    `/receipts/${receipt!.id}`,
    `/webhooks?notice=${notice!.id}`,
    `/payouts?q=${want.payee.iban.slice(-4)}`,
  ];
  const whole = (given: string): string[] =>
    [want.payee.iban, want.payee.taxNumber].filter((secret) =>
      given.replaceAll(/(?<=\d|TR) (?=\d)/g, '').includes(secret),
    );
  const look = async (desk: Desk): Promise<string> => {
    const seen = await givenTo(desk, async () => {
      for (const path of paths) await desk.page.goto(path);
    });
    const answers = await desk.context.request.get(`/api/movements/${id}`);
    return `${seen}\n${await alsoGiven(desk, paths)}\n${await answers.text()}`;
  };
  const support = await sitDown('can');
  const seen = await look(support);
  expect(seen).toContain(want.payee.iban.slice(-4));
  expect(whole(seen), 'what support was given').toEqual([]);
  // The same pages show both values to a person who pays: so the search above could have found
  // them.
  expect(whole(await look(clerk))).toEqual([want.payee.iban, want.payee.taxNumber]);
  // A role that may not see IBANs finds nothing by the beginning of an IBAN: otherwise it could
  // guess the IBAN digit by digit.
  const found = async (desk: Desk, text: string): Promise<boolean> =>
    (
      await (await desk.context.request.get(`/payouts?q=${encodeURIComponent(text)}`)).text()
    ).includes(`/payouts/${id}`);
  const beginning = want.payee.iban.slice(0, 16);
  expect([
    await found(clerk, beginning),
    await found(support, beginning),
    await found(support, want.payee.iban),
    await found(support, want.payee.iban.slice(-4)),
  ]).toEqual([true, false, true, true]);
});

test('web and worker sign in to the database as themselves, and no statement makes them its owner', async () => {
  expect((await fetch(`${BASE_URL}/api/health/ready`)).status).toBe(200);
  const connected = await rows<{ usename: string }>(
    `SELECT DISTINCT usename::text FROM pg_stat_activity WHERE datname = current_database()
      AND backend_type = 'client backend' AND pid <> pg_backend_pid() ORDER BY 1`,
  );
  expect(connected.map((row) => row.usename)).toEqual(['dashboard_web', 'dashboard_worker']);
});

function sha384(bytes: Buffer): string {
  return createHash('sha384').update(bytes).digest('base64');
}
