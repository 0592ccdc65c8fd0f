import { execFileSync, spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Sandbox } from '../testing/sandbox.ts';
import { Shop, codeOf } from '../testing/shop.ts';
import { makeHash, openHash } from './hash.ts';

/**
 * Compares the hash with OpenSSL's command line, an independent implementation. Skipped where
 * OpenSSL is not installed.
 */

const HAS_OPENSSL = spawnSync('openssl', ['version']).status === 0;
const hex = (text: string): string => Buffer.from(text, 'latin1').toString('hex');
const digest = (name: string, text: string): string =>
  execFileSync('openssl', ['dgst', `-${name}`, '-r'], { input: text })
    .toString()
    .split(' ')[0] ?? '';
const keyOf = (secret: string, salt: string): string =>
  digest('sha256', digest('sha1', secret) + salt).slice(0, 32);

function opensslSeal(
  parts: string[],
  secret: string,
  iv = '0a1b2c3d4e5f6071',
  salt = '9f3c',
): string {
  const encrypted = execFileSync(
    'openssl',
    ['enc', '-aes-256-cbc', '-K', hex(keyOf(secret, salt)), '-iv', hex(iv), '-base64', '-A'],
    { input: parts.join('|') },
  )
    .toString()
    .trim();
  return `${iv}:${salt}:${encrypted}`.replaceAll('/', '__');
}

function opensslOpen(hash: string, secret: string): string[] {
  const [iv = '', salt = '', encrypted = ''] = hash.replaceAll('__', '/').split(':');
  return execFileSync(
    'openssl',
    ['enc', '-d', '-aes-256-cbc', '-K', hex(keyOf(secret, salt)), '-iv', hex(iv), '-base64', '-A'],
    { input: encrypted },
  )
    .toString()
    .split('|');
}

const SECRET = 'b46a67571aa1e7ef5641dc3fa6f1712a';
const VECTORS = [
  ['1.0', '1', 'TRY', '$2y$10$w/ODdbTmfubcbUCUq/ia3OoJFMUmkM1UVNBiIQIuLfUlPmaLUT1he', '12345'],
  ['100', '12', 'USD', '$2y$10$abc.def/ghi', 'INV-ığüşöç-İ'],
  ['0.01', '1', 'EUR', 'k'.repeat(60), 'x'.repeat(200)],
  ['', 'INV', 'key'],
];

let box: Sandbox;
let shop: Shop;
beforeAll(async () => {
  box = await new Sandbox().start();
  shop = await new Shop(box).open();
});
afterAll(() => box.stop());

describe('hash_key', () => {
  it.skipIf(!HAS_OPENSSL).each(VECTORS)('agrees with OpenSSL both ways: %s %s %s', (...parts) => {
    expect(openHash(opensslSeal(parts, SECRET), SECRET)).toEqual(parts);
    for (let i = 0; i < 8; i++) expect(opensslOpen(makeHash(parts, SECRET), SECRET)).toEqual(parts);
  });

  it('is never the same twice and holds no slash', () => {
    const made = Array.from({ length: 200 }, () => makeHash(VECTORS[0] ?? [], SECRET));
    expect(new Set(made).size).toBe(200);
    expect(made.join('')).not.toContain('/');
  });

  it('is null for what cannot be deciphered, whatever it is', () => {
    const good = makeHash(['1', '2'], SECRET);
    for (const bad of [
      '',
      'x',
      '::',
      'a:b:c',
      good.slice(0, -6),
      `${good}:1`,
      good.replace(/^./, 'z'),
      makeHash(['no pipe'], SECRET),
    ])
      expect(openHash(bad, SECRET)).toBeNull();
    // A wrong key gives null too, or rarely (AES-CBC authenticates nothing) other text.
    expect(openHash(makeHash(['1', '2'], 'another secret'), SECRET)).not.toEqual(['1', '2']);
  });

  it.skipIf(!HAS_OPENSSL)(
    'made by OpenSSL is taken by a payment, and the answer’s own opens with OpenSSL',
    async () => {
      const order = shop.order({ hash_key: 'later' });
      order.hash_key = opensslSeal(
        ['100.5', '1', 'TRY', shop.key, String(order.invoice_id)],
        shop.secret,
      );
      const response = await shop.call('api/paySmart2D', order);
      expect(codeOf(response)).toBe(100);
      const data = response.json.data as Record<string, string>;
      expect(opensslOpen(String(data.hash_key), shop.secret)).toEqual([
        '1',
        '100.50',
        order.invoice_id,
        data.order_id,
        'TRY',
      ]);
    },
  );
});
