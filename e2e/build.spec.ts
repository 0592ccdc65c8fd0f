import { readdirSync } from 'node:fs';
import { expect, test } from './story.ts';
import { readBuild } from './build.ts';
import { BASE_URL } from './surroundings.ts';

test('the build that is served has no optimiser, no maps of its sources, no foreign origin, no way out, and takes 64 KiB at most', async () => {
  const { config, folder } = await readBuild();
  expect(config).toMatchObject({
    poweredByHeader: false,
    productionBrowserSourceMaps: false,
    assetPrefix: '',
    basePath: '',
    images: { unoptimized: true, remotePatterns: [], domains: [], dangerouslyAllowSVG: false },
    experimental: { serverActions: { bodySizeLimit: '64kb' } },
  });
  expect(config['experimental'], 'nobody else calls our actions').not.toHaveProperty('serverActions.allowedOrigins');
  expect(config['cacheComponents'] ?? false, 'a page of a signed-in person is never kept').toBe(false);
  const files = readdirSync(`${folder}/static`, { recursive: true }).map(String);
  expect(files.length).toBeGreaterThan(10);
  expect(files.filter((name) => name.endsWith('.map'))).toEqual([]);
  const script = files.find((name) => name.endsWith('.js'))!;
  expect((await fetch(`${BASE_URL}/_next/static/${script}`)).status).toBe(200);
  expect((await fetch(`${BASE_URL}/_next/static/${script}.map`)).status).toBe(404);
  expect((await fetch(`${BASE_URL}/_next/image?url=%2Ficon.svg&w=64&q=75`)).status).toBe(404);
});

test('the only rewrite stays in the house', async () => {
  const { folder } = await readBuild();
  const { rewrites, redirects } = (await import(`${process.cwd()}/${folder}/routes-manifest.json`, { with: { type: 'json' } })).default as { rewrites: Record<string, { destination: string }[]> | { destination: string }[]; redirects: { destination: string }[] };
  const destinations = [...[rewrites].flat().flatMap((one) => ('destination' in one ? [one] : Object.values(one).flat())), ...redirects].map(({ destination }) => String(destination));
  expect(destinations.length).toBeGreaterThan(0);
  for (const destination of destinations) expect(destination).toMatch(/^\/(?!\/)/);
});

test('an action is called with 64 KiB at most', async () => {
  const { actions } = await readBuild();
  const post = (body: string) => fetch(`${BASE_URL}/payouts`, {
    method: 'POST', body, headers: { 'next-action': actions['findRecipients']!, origin: BASE_URL, 'sec-fetch-site': 'same-origin', 'content-type': 'text/plain;charset=UTF-8' },
  });
  expect(await (await post('["a"]')).text()).toContain('signed_out');
  // A number in our log and nothing else.
  for (const bytes of [65 * 1024, 2_000_000]) expect(await (await post(JSON.stringify(['x'.repeat(bytes)]))).text()).toMatch(/^1:E\{"digest":"\d+"\}$/m);
});
