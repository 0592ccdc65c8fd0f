import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { screenRequest } from './request-screen.ts';

const HOST = ['Host', 'desk.test'];
const ask = (
  url: string,
  {
    method = 'GET',
    headers = HOST,
    forwarded = false,
  }: { method?: string; headers?: string[]; forwarded?: boolean } = {},
) => screenRequest({ method, url, rawHeaders: headers, forwarded });

describe('an address', () => {
  test.each([
    '/',
    '/payouts',
    '/payouts/%C4%B0',
    '/login?next=/payouts',
    '/search?q=100%',
    '/search?q=%09a%0Ab',
    '/payouts?iban=TR%20',
    '/%E2%80%A8',
  ])('%s goes on', (url) => {
    expect(ask(url)).toBeNull();
  });

  test.each([
    '/payouts/%ff',
    '/payouts/%c0%af',
    '/payouts/%',
    '/payouts/%zz',
    '/%00',
    '/payouts/a%0d%0aSet-Cookie:x',
    '/payouts/%7f',
    '/payouts/\u0001',
    '/search?q=%00',
    '/search?q=%1b[2J',
    '/search?q=%7f',
    '/search?%0c=a',
  ])('%s that cannot be read is answered 400', (url) => {
    expect(ask(url)).toBe(400);
  });

  test('is never the cause of a fault, whatever it is made of', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.webPath()), (url) => {
        expect([null, 400]).toContain(ask(url));
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('a request', () => {
  test('that asks for an echo, or names two hosts or none, is answered 400', () => {
    for (const method of ['TRACE', 'trace', 'TRACK'])
      expect(ask('/', { method }), method).toBe(400);
    expect(ask('/', { headers: [...HOST, 'host', 'evil.test'] })).toBe(400);
    expect(ask('/', { headers: [] })).toBe(400);
    for (const url of ['http://evil.test/x', '*', 'payouts']) expect(ask(url), url).toBe(400);
  });

  test('with a form that names no boundary between its fields is answered 400', () => {
    const post = (type: string, url = '/payouts') =>
      ask(url, { method: 'POST', headers: [...HOST, 'Content-Type', type] });
    for (const type of [
      'multipart/form-data',
      'multipart/form-data; boundary=',
      'Multipart/Form-Data; charset=utf-8',
      `multipart/form-data; boundary=${'x'.repeat(71)}`,
    ])
      expect(post(type), type).toBe(400);
    for (const type of [
      'multipart/form-data; boundary=----WebKitFormBoundary7MA4YWxkTrZu0gW',
      'multipart/form-data; boundary="a b"; charset=utf-8',
      'application/x-www-form-urlencoded',
      '',
    ])
      expect(post(type), type).toBeNull();
    // A webhook is kept whatever its provider says of it.
    expect(post('multipart/form-data', '/api/webhooks/key/card')).toBeNull();
  });

  test('with a body above the limit is answered 413 before a byte of it is kept, and one without a length 411', () => {
    const post = (headers: string[], url = '/api/sign-out') =>
      ask(url, { method: 'POST', headers: [...HOST, ...headers] });
    // The limit of a body is 64 KiB.
    expect(post(['Content-Length', '65536'])).toBeNull();
    expect(post(['content-length', '65537'])).toBe(413);
    expect(post(['Content-Length', '1', 'Content-Length', '65537'])).toBe(413);
    expect(post(['Transfer-Encoding', 'chunked'])).toBe(411);
    // A chunked body is also refused for a path that only begins like that of a webhook.
    for (const path of [
      '/api/webhooks/../sign-out',
      '/api/webhooks/%2e%2e/sign-out',
      '/api/webhooks/x/..%2f..',
      '/api/webhooks/a/b',
      '/API/webhooks/key/wallet',
      '/api/webhooks/key/WALLET',
      '/api/webhooks/x/wallet/more',
    ])
      expect(post(['Transfer-Encoding', 'chunked'], path), path).toBe(411);
    expect(post(['content-length', String(1024 * 1024)])).toBe(413);
    // Only the route that takes payouts files accepts more, up to 10 MB, and only by its exact path.
    const file = (length: number, url: string) => post(['content-length', `${length}`], url);
    expect(file(10 * 1024 * 1024, '/api/batches')).toBeNull();
    expect(file(10 * 1024 * 1024 + 1, '/api/batches')).toBe(413);
    expect(post(['Transfer-Encoding', 'chunked'], '/api/batches')).toBe(411);
    for (const url of ['/api/batches/', '/api/batches/x', '/api/Batches', '/batches'])
      expect(file(65_537, url), url).toBe(413);
    // Webhooks have their own limit, and providers may send them chunked.
    expect(post(['Transfer-Encoding', 'chunked'], '/api/webhooks/key/wallet')).toBeNull();
  });

  test('whose state tree is none is answered 400: the framework would take it for a fault of ours', () => {
    const withTree = (tree: string) =>
      ask('/nowhere', { headers: [...HOST, 'RSC', '1', 'Next-Router-State-Tree', tree] });
    for (const tree of [
      'garbage',
      '%7B',
      '%ff',
      'null',
      '[]',
      '[1,2,3,4,5,6]',
      '["",[]]',
      '["",null]',
      '["",{"children":null}]',
      '["",{"children":["a",{"children":[1,{}]}]}]',
      '[["id"],{}]',
      '',
      'a'.repeat(9_000),
    ])
      expect(withTree(tree), tree).toBe(400);
    expect(
      withTree(
        encodeURIComponent(
          JSON.stringify([
            '',
            { children: ['payouts', { children: [['id', 'x', 'd'], {}] }] },
            null,
            null,
            true,
          ]),
        ),
      ),
    ).toBeNull();
  });

  test('forwarded by the framework to the page of its action passes without a length: it was screened', () => {
    const chunked = [...HOST, 'Transfer-Encoding', 'chunked'];
    expect(ask('/payouts/new', { method: 'POST', headers: chunked, forwarded: true })).toBeNull();
    expect(ask('/%ff', { method: 'POST', headers: chunked, forwarded: true })).toBe(400);
  });
});
