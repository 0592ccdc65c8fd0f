import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { returnPath } from './return-path.ts';

const OWN = 'https://desk.test';

test.each([
  ['/payouts', '/payouts'],
  ['/payouts?state=UNKNOWN&q=a%20b', '/payouts?state=UNKNOWN&q=a%20b'],
  ['/', '/'],
  ['/a/../payouts', '/payouts'],
  ['/search?q=İstanbul', '/search?q=%C4%B0stanbul'],
  ['/wallets/\u2028x', '/wallets/%E2%80%A8x'],
  ['/wallets/😀', '/wallets/%F0%9F%98%80'],
  ['/payouts#part', '/payouts'],
])('%s of our own leads to %s', (next, path) => expect(returnPath(next, OWN)).toBe(path));

test.each([
  '//evil.test',
  '/\\evil.test',
  '\\\\evil.test',
  '/\t/evil.test',
  '/\t\\evil.test',
  '/\n/evil.test',
  '/\r\n/evil.test',
  '/\u0000',
  'https://evil.test',
  'javascript:alert(1)',
  'evil.test',
  '',
  '/.//evil.test',
  '/..//evil.test',
  ' /payouts',
  undefined,
  ['/a', '/b'],
])('%j leads home', (next) => expect(returnPath(next, OWN)).toBe('/'));

test('whatever is asked for, a browser stays at our own origin, and a header can carry it', () => {
  const bits = fc.constantFrom(
    '/',
    '\\',
    '\t',
    '\n',
    '\r',
    ' ',
    '.',
    ':',
    '@',
    '?',
    '#',
    'evil.test',
    '%2f',
    '%09',
    '\u2028',
    'a',
  );
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.string({ unit: bits })), (next) => {
      const path = returnPath(next, OWN);
      expect(new URL(path, OWN).origin).toBe(OWN);
      expect(path).toMatch(/^\/(?![/\\])[\x21-\x7e]*$/);
    }),
    { numRuns: 5_000 },
  );
});
