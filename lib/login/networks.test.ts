import { expect, test } from 'vitest';
import { networkOf } from './networks.ts';

test.each([
  ['85.0.0.1', '85.0.0.1', null],
  ['2001:db8:1:2::1', '2001:db8:1:2::/64', '2001:db8:1::/48'],
  ['2001:0DB8:0001:0002:ffff:ffff:ffff:ffff', '2001:db8:1:2::/64', '2001:db8:1::/48'],
  ['2001:db8::1', '2001:db8:0:0::/64', '2001:db8:0::/48'],
  ['::1', '0:0:0:0::/64', '0:0:0::/48'],
  ['64:ff9b::85.0.0.1', '64:ff9b:0:0::/64', '64:ff9b:0::/48'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64', 'fe80:0:0::/48'],
  [null, 'unknown', null],
])('%s is counted as %s', (ip, subnet, site) => expect(networkOf(ip)).toEqual({ subnet, site }));

test('every address of one /64 is one caller, and its neighbour is another', () => {
  const of = (part: string, host: number): string =>
    networkOf(`2001:db8:0:${part}::${host.toString(16)}`).subnet;
  expect(new Set(Array.from({ length: 300 }, (_, host) => of('1', host))).size).toBe(1);
  expect(of('1', 1)).not.toBe(of('2', 1));
});
