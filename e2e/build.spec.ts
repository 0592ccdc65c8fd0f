import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from './story.ts';
import { readBuild } from './build.ts';
import { BASE_URL } from './surroundings.ts';

test('the build has no image optimiser, source maps or foreign origins, and takes 64 KiB at most', async () => {
  const { config, folder } = await readBuild();
  expect(config).toMatchObject({
    poweredByHeader: false,
    productionBrowserSourceMaps: false,
    assetPrefix: '',
    basePath: '',
    images: { unoptimized: true, remotePatterns: [], domains: [], dangerouslyAllowSVG: false },
    experimental: { serverActions: { bodySizeLimit: '64kb' } },
  });
  expect(config['experimental'], 'nobody else calls our actions').not.toHaveProperty(
    'serverActions.allowedOrigins',
  );
  expect(config['cacheComponents'] ?? false, 'a page of a signed-in person is never kept').toBe(
    false,
  );
  const files = readdirSync(`${folder}/static`, { recursive: true }).map(String);
  expect(files.length).toBeGreaterThan(10);
  expect(files.filter((name) => name.endsWith('.map'))).toEqual([]);
  const script = files.find((name) => name.endsWith('.js'))!;
  expect((await fetch(`${BASE_URL}/_next/static/${script}`)).status).toBe(200);
  expect((await fetch(`${BASE_URL}/_next/static/${script}.map`)).status).toBe(404);
  expect((await fetch(`${BASE_URL}/_next/image?url=%2Ficon.svg&w=64&q=75`)).status).toBe(404);
});

test('scripts and styles come as brotli or gzip from the build, and may be kept for ever', async () => {
  const { folder } = await readBuild();
  const files = readdirSync(`${folder}/static`, { recursive: true }).map(String);
  for (const ending of ['.js', '.css']) {
    const file = files.find((name) => name.endsWith(ending) && files.includes(`${name}.br`))!;
    for (const encoding of ['br', 'gzip']) {
      const answer = await fetch(`${BASE_URL}/_next/static/${file}`, {
        headers: { 'accept-encoding': encoding },
      });
      expect(answer.headers.get('content-encoding'), file).toBe(encoding);
      expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(await answer.text()).toBe(readFileSync(`${folder}/static/${file}`, 'utf8'));
    }
  }
});

test('the only rewrite stays in the house', async () => {
  const { folder } = await readBuild();
  const { rewrites, redirects } = (
    await import(`${process.cwd()}/${folder}/routes-manifest.json`, { with: { type: 'json' } })
  ).default as {
    rewrites: Record<string, { destination: string }[]> | { destination: string }[];
    redirects: { destination: string }[];
  };
  const destinations = [
    ...[rewrites]
      .flat()
      .flatMap((one) => ('destination' in one ? [one] : Object.values(one).flat())),
    ...redirects,
  ].map(({ destination }) => String(destination));
  expect(destinations.length).toBeGreaterThan(0);
  for (const destination of destinations) expect(destination).toMatch(/^\/(?!\/)/);
});

test('an action is called with 64 KiB at most', async () => {
  const { actions } = await readBuild();
  // The page that has the action, and another page, from which Next.js forwards the call.
  for (const page of ['/payouts/new', '/payouts']) {
    const post = (body: string) =>
      fetch(`${BASE_URL}${page}`, {
        method: 'POST',
        body,
        headers: {
          'next-action': actions['findRecipients']!,
          origin: BASE_URL,
          'sec-fetch-site': 'same-origin',
          'content-type': 'text/plain;charset=UTF-8',
        },
      });
    expect(await (await post('["a"]')).text(), page).toContain('signed_out');
    expect(await (await post(JSON.stringify(['x'.repeat(63 * 1024)]))).text(), page).toContain(
      'signed_out',
    );
    expect((await post(JSON.stringify(['x'.repeat(64 * 1024)]))).status, page).toBe(413);
  }
});

/** The list `name` as docs/security-controls.md documents it. */
function documented(name: string): string[] {
  const line =
    readFileSync('docs/security-controls.md', 'utf8')
      .split('\n')
      .find((one) => one.startsWith(`- ${name}: `)) ?? '';
  return [...line.matchAll(/`([^`]+)`/g)].map(([, text]) => text!).toSorted();
}

test('the table of controls names exactly the routes, cookies and outgoing forms of the build', async () => {
  const { routes, folder } = await readBuild();
  expect(documented('Routes')).toEqual(routes.toSorted());
  const server = readdirSync(`${folder}/server`, { recursive: true })
    .map(String)
    .filter((name) => name.endsWith('.js'));
  const code = server.map((name) => readFileSync(`${folder}/server/${name}`, 'utf8')).join('\n');
  const named = new Set([...code.matchAll(/__Host-([a-z.-]+)/g)].map(([, name]) => name!));
  const cookies = documented('Cookies').map((name) => name.replace('__Host-', ''));
  for (const name of cookies)
    expect(code, `the cookie ${name}`).toContain(`"${name.replace('next-auth.', '')}"`);
  expect(
    [...named].filter((name) => !cookies.includes(name) && name !== 'next-auth.'),
    'cookies that the table does not name',
  ).toEqual([]);
  expect(documented('Pages whose form may be posted to the card gateway')).toEqual([
    '/cards/payments/[id]/take',
  ]);
  expect((await fetch(`${BASE_URL}/login`)).headers.get('content-security-policy')).toContain(
    "form-action 'self';",
  );
});
