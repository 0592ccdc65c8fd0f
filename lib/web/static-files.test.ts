import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { IncomingHttpHeaders, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readOnlyFiles, staticFiles } from './static-files.ts';

const SCRIPT = 'console.log("Ödeme");\n'.repeat(200);
let build: string;
let server: Server;

beforeAll(async () => {
  build = mkdtempSync(join(tmpdir(), 'build-'));
  mkdirSync(join(build, 'static', 'chunks'), { recursive: true });
  const script = join(build, 'static', 'chunks', 'a~b.js');
  writeFileSync(script, SCRIPT);
  writeFileSync(`${script}.br`, brotliCompressSync(SCRIPT));
  writeFileSync(`${script}.gz`, gzipSync(SCRIPT));
  writeFileSync(join(build, 'static', 'chunks', 'small.css'), 'a{}');
  writeFileSync(join(build, 'static', 'secret.map'), 'x'.repeat(5_000));
  writeFileSync(join(build, 'outside.js'), 'outside');
  mkdirSync(join(build, 'public'));
  writeFileSync(join(build, 'public', 'robots.txt'), 'x');
  const [built, readOnly] = [staticFiles(build), readOnlyFiles(join(build, 'public'))];
  server = createServer((...asked) => {
    const [{ url }, response] = asked;
    if (!built(...asked, url!) && !readOnly(...asked, url!))
      response.writeHead(404).end('the framework');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
  rmSync(build, { recursive: true });
});

function get(
  path: string,
  headers: Record<string, string> = {},
  method = 'GET',
): Promise<{ status: number; headers: IncomingHttpHeaders; body: Buffer }> {
  const { port } = server.address() as AddressInfo;
  return new Promise((resolve, reject) => {
    request({ port, host: '127.0.0.1', path, method, headers }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () =>
        resolve({
          status: answer.statusCode!,
          headers: answer.headers,
          body: Buffer.concat(chunks),
        }),
      );
    })
      .on('error', reject)
      .end();
  });
}
const PATH = '/_next/static/chunks/a~b.js';

test.each([
  ['br, gzip', 'br', brotliDecompressSync],
  ['gzip, deflate, br', 'br', brotliDecompressSync],
  ['gzip', 'gzip', gunzipSync],
  ['br;q=0, gzip;q=0.5', 'gzip', gunzipSync],
  ['identity', undefined, (body: Buffer) => body],
  ['', undefined, (body: Buffer) => body],
] as const)(
  'to a client that accepts "%s" a file is sent as %s',
  async (accepted, encoding, read) => {
    const { status, headers, body } = await get(PATH, { 'accept-encoding': accepted });
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': 'application/javascript; charset=UTF-8',
      'content-length': String(body.byteLength),
      vary: 'Accept-Encoding',
    });
    expect(headers['content-encoding']).toBe(encoding);
    expect(read(body).toString()).toBe(SCRIPT);
    if (encoding !== undefined) expect(body.byteLength).toBeLessThan(SCRIPT.length / 10);
  },
);

test('each encoding of a file has a tag of its own, and who has it already is not sent it again', async () => {
  const tags = new Set<string>();
  for (const accepted of ['br', 'gzip', 'identity']) {
    const { headers } = await get(PATH, { 'accept-encoding': accepted });
    tags.add(headers.etag!);
    const again = await get(PATH, { 'accept-encoding': accepted, 'if-none-match': headers.etag! });
    expect([again.status, again.body.byteLength]).toEqual([304, 0]);
  }
  expect(tags.size).toBe(3);
});

test('HEAD gets the headers alone, and no other method is answered', async () => {
  const head = await get(PATH, { 'accept-encoding': 'br' }, 'HEAD');
  expect([head.status, head.headers['content-encoding'], head.body.byteLength]).toEqual([
    200,
    'br',
    0,
  ]);
  const post = await get(PATH, {}, 'POST');
  expect([post.status, post.headers.allow]).toEqual([405, 'GET, HEAD']);
});

test('a file that was not compressed is sent as it is', async () => {
  const { headers, body } = await get('/_next/static/chunks/small.css', {
    'accept-encoding': 'br',
  });
  expect([headers['content-encoding'], body.toString()]).toEqual([undefined, 'a{}']);
});

test.each([
  '/_next/static/none.js',
  '/_next/static/../outside.js',
  '/_next/static/%2e%2e/outside.js',
  '/_next/static/..%2foutside.js',
  '/_next/static/secret.map',
  '/_next/static/chunks/a~b.js.br',
  '/_next/static/chunks',
  '/_next/static/',
  '/chunks/a~b.js',
])('%s is left to the framework', async (path) => {
  expect((await get(path)).body.toString()).toBe('the framework');
});

test('a public file is read by the framework, and changed by no other method', async () => {
  for (const method of ['GET', 'HEAD'])
    expect((await get('/robots.txt', {}, method)).status, method).toBe(404);
  for (const method of ['PUT', 'POST', 'OPTIONS', 'DELETE']) {
    const { status, headers } = await get('/robots.txt', {}, method);
    expect([status, headers.allow], method).toEqual([405, 'GET, HEAD']);
  }
  for (const path of ['/', '/robots.txt/x', '/nowhere'])
    expect((await get(path, {}, 'PUT')).status, path).toBe(404);
});
