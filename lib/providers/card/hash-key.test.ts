import { execFileSync, spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hashKeyAgrees, makeHashKey } from './hash-key.ts';
import type { ExpectedPart } from './hash-key.ts';

const SECRET = '0f1e2d3c4b5a69788796a5b4c3d2e1f0';

/**
 * Hash keys made with OpenSSL's command line, which shares no code with us:
 *
 *   pass=$(printf %s "$secret" | openssl dgst -sha1 -r | cut -c1-40)
 *   key=$(printf %s "$pass$salt" | openssl dgst -sha256 -r | cut -c1-32)
 *   printf %s "$data" | openssl enc -aes-256-cbc -K "$(hex "$key")" -iv "$(hex "$iv")" -base64 -A
 *
 * with `hex() { printf %s "$1" | od -An -tx1 | tr -d ' \n'; }`; then iv:salt:base64, each slash as
 * two underscores.
 */
const VECTORS = [
  {
    data: '123.40|1|TRY|$2y$10$MadeUp.Merchant/Key.For.Tests|INV-1',
    iv: '0123456789abcdef',
    salt: '9f3c',
    hashKey:
      '0123456789abcdef:9f3c:q7ABEpBFHVdKfp33i__TvbFBDh+MALNJgy0QRqYSXC2TuBm+MkRqlIlC7Sa0t' +
      '__F6YjotnWn72JIimdftRsJXSVw==',
  },
  {
    data: 'INV-1|$2y$10$MadeUp.Merchant/Key.For.Tests',
    iv: '89ab0123cdef4567',
    salt: '00aa',
    hashKey:
      '89ab0123cdef4567:00aa:80eNBZy2Q07s8tw3vWFTeq+vy9AvRH4HzMqpC4FTx770TjaASG3bgwYYkJ8p273M',
  },
  {
    data: '$2y$10$MadeUp.Merchant/Key.For.Tests|INV-1|1',
    iv: '0011223344556677',
    salt: 'beef',
    hashKey:
      '0011223344556677:beef:__UMRQ3sPZ6t2ewp6BLy0ceYxoRl6f7kOYGHTTF22AQ9Eihbt+7HWANCObbF6W5R+',
  },
  {
    data: '$2y$10$MadeUp.Merchant/Key.For.Tests|INV-1|VP17012345678901|complete',
    iv: 'fedcba9876543210',
    salt: 'c0de',
    hashKey:
      'fedcba9876543210:c0de:6NqPilJ9dvOMaLtKRqveBMKxbvcsRuaKvXt05M5CVyeDWIhiWDSF0sKIMwMyh2oM' +
      'Ahjpoxvy2GeEbgQnQqzoHL8ihcdfNHhsZr4AmYo1GGs=',
  },
  {
    data: '0.05|INV-1|$2y$10$MadeUp.Merchant/Key.For.Tests',
    iv: 'a0a0a0a0a0a0a0a0',
    salt: 'a0a0',
    hashKey:
      'a0a0a0a0a0a0a0a0:a0a0:xtHTJLUQEg6DPt0xI5Mfo5r1t__4si+teh22iscDgBhkVR7lzo3grhUIE9iUg+xE+',
  },
  {
    data: '$2y$10$MadeUp.Merchant/Key.For.Tests|4711|Işık Çağrı Öğüt|4508034508034509|12|2026',
    iv: 'ffffffffffffffff',
    salt: 'ffff',
    hashKey:
      'ffffffffffffffff:ffff:vsVNdPeUt27OalKhTkwgUpjDjDu96ihIKZ2sCJVFde82VaEQ0LUMzMwH7CzkZNNm' +
      'uxlFjzxZt__Li+MLeoIblraJDVsRtqJOJM0rFmPwzE0yUKqpmWH05wROrK8VRL053',
  },
  {
    data: '$2y$10$MadeUp.Merchant/Key.For.Tests|4711|TOKEN1',
    iv: '1111111111111111',
    salt: '1111',
    hashKey:
      '1111111111111111:1111:He7yMZZOFlqFAr86TyUfBgCTQHSgRPwl5YrTATwp4pjNM8xwachbxZv7oRw6URYjeWHk6g0z2Lerok6p4Z0CXw==',
  },
  {
    data: '1|123.40|INV-1|VP17012345678901|TRY',
    iv: '00000000000000aa',
    salt: '0b0b',
    hashKey:
      '00000000000000aa:0b0b:miSaqWuVJd28cU1qYE2OIALKYLFJRVIgaCfh052gOJhF9r+ADwwQt4zC9Fi3Mivx',
  },
];

const hex = (text: string): string => Buffer.from(text, 'latin1').toString('hex');
const digest = (algorithm: string, text: string): string =>
  execFileSync('openssl', ['dgst', `-${algorithm}`, '-r'], {
    input: text,
    encoding: 'utf8',
  }).split(' ')[0] ?? '';
const openssl = (way: '-e' | '-d', key: string, iv: string, input: string): string =>
  execFileSync(
    'openssl',
    ['enc', '-aes-256-cbc', way, '-K', hex(key), '-iv', hex(iv), '-base64', '-A'],
    { input, encoding: 'utf8', stdio: ['pipe', 'pipe', 'ignore'] },
  );
const hasOpenssl = spawnSync('openssl', ['version']).status === 0;

const agrees = (hashKey: unknown, data: string): boolean =>
  hashKeyAgrees(SECRET, hashKey, data.split('|'));

describe('a hash key', () => {
  test.each(VECTORS)(
    "is what OpenSSL makes of the same fields, and OpenSSL's is read: $data",
    ({ data, iv, salt, hashKey }) => {
      expect(makeHashKey(SECRET, data.split('|'), { iv, salt })).toBe(hashKey);
      expect(agrees(hashKey, data)).toBe(true);
    },
  );

  test.runIf(hasOpenssl)(
    'travels between us and OpenSSL both ways, whatever its fields hold',
    () => {
      const part = fc
        .string({ unit: 'grapheme', maxLength: 40 })
        .map((text) => text.replaceAll('|', ''));
      const password = digest('sha1', SECRET);
      fc.assert(
        fc.property(fc.array(part, { minLength: 1, maxLength: 6 }), (parts) => {
          const [iv = '', salt = '', encrypted = ''] = makeHashKey(SECRET, parts)
            .replaceAll('__', '/')
            .split(':');
          const key = digest('sha256', password + salt).slice(0, 32);
          expect(openssl('-d', key, iv, encrypted)).toBe(parts.join('|'));
          const theirs = `${iv}:${salt}:${openssl('-e', key, iv, parts.join('|'))}`.replaceAll(
            '/',
            '__',
          );
          expect(hashKeyAgrees(SECRET, theirs, parts)).toBe(true);
        }),
        { numRuns: 25 },
      );
    },
    60_000,
  );

  test('is a fresh one for each request, and never holds a slash', () => {
    const made = new Set(Array.from({ length: 200 }, () => makeHashKey(SECRET, ['1.00', 'INV'])));
    expect(made.size).toBe(200);
    for (const one of made) expect(one).toMatch(/^[0-9a-f]{16}:[0-9a-f]{4}:[A-Za-z0-9+_=]+$/);
  });

  test('is not made of a part that holds the separator', () => {
    expect(() => makeHashKey(SECRET, ['1.00', 'INV|1'])).toThrow(RangeError);
  });
});

describe('a hash key of the gateway', () => {
  const { hashKey } = VECTORS.at(-1)!;
  const parts: ExpectedPart[] = ['1', { amountMinor: 12_340n }, 'INV-1', 'VP17012345678901', 'TRY'];

  test('agrees on amounts by value and on everything else letter by letter', () => {
    expect(hashKeyAgrees(SECRET, hashKey, parts)).toBe(true);
    for (const total of ['123.4', '123.40', '123.400'])
      expect(
        hashKeyAgrees(
          SECRET,
          makeHashKey(SECRET, ['1', total, 'INV-1', 'VP17012345678901', 'TRY']),
          parts,
        ),
      ).toBe(true);
    for (const [index, other] of [
      [0, '0'],
      [1, { amountMinor: 12_341n }],
      [2, 'INV-2'],
      [2, 'inv-1'],
      [3, 'VP17012345678902'],
      [3, ''],
      [4, 'USD'],
    ] as const) {
      expect(hashKeyAgrees(SECRET, hashKey, parts.with(index, other))).toBe(false);
    }
    expect(hashKeyAgrees(SECRET, hashKey, parts.slice(0, 4))).toBe(false);
    expect(hashKeyAgrees(SECRET, hashKey, [...parts, ''])).toBe(false);
    expect(hashKeyAgrees('another-secret', hashKey, parts)).toBe(false);
  });

  test('that cannot be read is the same false as one that disagrees, and nothing throws', () => {
    const [iv, salt, encrypted] = hashKey.split(':') as [string, string, string];
    const broken = [
      '',
      ':',
      '::',
      iv,
      `${iv}:${salt}`,
      `${iv}:${salt}:`,
      `${iv}:${salt}:!!`,
      `${iv}:${salt}:${encrypted.slice(0, 20)}`,
      `${hashKey}:x`,
      `${iv.slice(1)}:${salt}:${encrypted}`,
      `${salt}:${iv}:${encrypted}`,
      `${iv}:zzzz:${encrypted}`,
      hashKey.toUpperCase(),
      `${iv}:${salt}:${'A'.repeat(1_000_000)}`,
      null,
      undefined,
      1,
      {},
      [hashKey],
    ];
    for (const one of broken)
      expect(hashKeyAgrees(SECRET, one, parts), String(one).slice(0, 60)).toBe(false);
    fc.assert(fc.property(fc.anything(), (one) => !hashKeyAgrees(SECRET, one, parts)));
  });

  test('that was changed anywhere is refused: padding tells nobody anything', () => {
    const [iv, salt, encrypted] = hashKey.replaceAll('__', '/').split(':') as [
      string,
      string,
      string,
    ];
    const bytes = Buffer.from(encrypted, 'base64');
    for (let index = 0; index < bytes.length; index++) {
      for (const flip of [1, 16, 255]) {
        const changed = Buffer.from(bytes);
        changed[index]! ^= flip;
        expect(
          hashKeyAgrees(
            SECRET,
            `${iv}:${salt}:${changed.toString('base64')}`.replaceAll('/', '__'),
            parts,
          ),
        ).toBe(false);
      }
    }
    // Without a MAC an attacker can flip bits of the first block through the iv. The fields are
    // compared, so that this only yields another value.
    const bent = String.fromCharCode(iv.charCodeAt(0) ^ 1) + iv.slice(1);
    expect(hashKeyAgrees(SECRET, `${bent}:${salt}:${encrypted}`.replaceAll('/', '__'), parts)).toBe(
      false,
    );
  });

  test('made with another secret is refused a thousand times', () => {
    for (let i = 0; i < 1_000; i++) {
      const other = createHash('md5').update(randomBytes(8)).digest('hex');
      expect(
        hashKeyAgrees(
          SECRET,
          makeHashKey(other, ['1', '123.40', 'INV-1', 'VP17012345678901', 'TRY']),
          parts,
        ),
      ).toBe(false);
    }
  });
});
