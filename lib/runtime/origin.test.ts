import { expect, test } from 'vitest';
import { callerOf, isOwnOrigin } from './origin.ts';

const OWN = 'https://pay.merchant.test';

test.each([
  ['a page of ours', OWN, 'same-origin', true],
  ['a browser without Fetch-Metadata', OWN, null, true],
  ['a GET of ours, which names no origin', null, 'same-origin', true],
  ['nobody says anything', null, null, false],
  ['another site', 'https://evil.test', 'cross-site', false],
  ['another site that hides', null, 'cross-site', false],
  ['a sister of ours', null, 'same-site', false],
  ['an address typed by hand', null, 'none', false],
  ['another site that claims to be a page of ours', 'https://evil.test', 'same-origin', false],
  ['our name, said by another site', OWN, 'cross-site', false],
  ['the other scheme', 'http://pay.merchant.test', null, false],
  ['another port', 'https://pay.merchant.test:8443', null, false],
  ['a longer name', 'https://pay.merchant.test.evil.test', null, false],
  ['nowhere', 'null', null, false],
  ['the empty text', '', null, false],
])('%s: the check of origin and Fetch-Metadata', (_who, origin, fetchSite, ours) => {
  expect(isOwnOrigin(origin, fetchSite, OWN)).toBe(ours);
});

test.each([
  [
    'with nobody in front the connection is believed, whatever the request says',
    '1.2.3.4, 127.0.0.1',
    false,
    '127.0.0.1',
  ],
  [
    'behind the one proxy its last word is believed',
    '6.6.6.6, 85.1.2.3, 10.0.0.7',
    true,
    '85.1.2.3',
  ],
  ['a proxy that says nothing is all there is', '10.0.0.7', true, '10.0.0.7'],
  ['IPv4 in the clothes of IPv6', '::ffff:127.0.0.1', false, '127.0.0.1'],
  ['IPv6', 'x, 2001:db8::7', false, '2001:db8::7'],
  ['no address is nobody', "1.2.3.4'; DROP TABLE, 10.0.0.7", true, null],
  ['nothing at all', null, false, null],
])('the address of a caller: %s', (_rule, forwardedFor, behindProxy, ip) => {
  expect(callerOf(forwardedFor, behindProxy)).toBe(ip);
});
