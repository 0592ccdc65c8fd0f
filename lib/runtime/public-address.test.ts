import { describe, expect, it } from 'vitest';
import { isPublicAddress, isPublicEndpoint } from './public-address.ts';

const live = { sandbox: false };

describe('the endpoint of a push service', () => {
  it.each([
    'https://fcm.googleapis.com/fcm/send/abc',
    'https://updates.push.services.mozilla.com/wpush/v2/abc',
    'https://web.push.apple.com/abc',
  ])('%s is used', (endpoint) => expect(isPublicEndpoint(endpoint, live)).toBe(true));

  it.each([
    'http://fcm.googleapis.com/fcm/send/abc',
    'https://fcm.googleapis.com:8443/x',
    'https://user:word@fcm.googleapis.com/x',
    'https://127.0.0.1/x',
    'https://2130706433/x',
    'https://0x7f.1/x',
    'https://[::1]/x',
    'https://[::ffff:10.0.0.1]/x',
    'https://localhost/x',
    'https://metadata.google.internal/x',
    'https://printer.local/x',
    'https://intranet/x',
    'https://8.8.8.8/x',
    'ftp://fcm.googleapis.com/x',
    `https://fcm.googleapis.com/${'x'.repeat(1_000)}`,
    'no address',
  ])('%s is refused', (endpoint) => expect(isPublicEndpoint(endpoint, live)).toBe(false));

  it('is on this machine in the sandbox only', () => {
    for (const endpoint of ['http://127.0.0.1:9/x', 'http://localhost:9/x', 'http://[::1]:9/x']) {
      expect(isPublicEndpoint(endpoint, { sandbox: true }), endpoint).toBe(true);
      expect(isPublicEndpoint(endpoint, live), endpoint).toBe(false);
    }
    expect(isPublicEndpoint('http://10.0.0.1/x', { sandbox: true })).toBe(false);
  });
});

describe('an address that a name resolves to', () => {
  it.each(['8.8.8.8', '142.250.187.10', '2a00:1450:4017:80a::200a'])('%s is public', (address) =>
    expect(isPublicAddress(address)).toBe(true),
  );

  it.each([
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '127.0.0.1',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.0.1',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:10.0.0.1',
    '64:ff9b::a00:1',
    '2001:db8::1',
    '2002:a00:1::',
    '2001::1',
    'fc00::1',
    'fe80::1',
    'ff02::1',
    'fcm.googleapis.com',
  ])('%s is not', (address) => expect(isPublicAddress(address)).toBe(false));
});
