import 'server-only';
import { BlockList, isIP } from 'node:net';

/**
 * Which addresses a message may be sent to that a person or a browser named: push messages and
 * webhooks. Only https at a public host is accepted, checked again for the addresses that the name
 * resolves to.
 */

const PRIVATE_4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
];
/** The only IPv6 addresses that are routed in public; the ranges below them are exceptions. */
const PUBLIC_6 = '2000::/3';
/** Documentation, 6to4 and Teredo: the last two lead to IPv4 addresses. */
const NOT_PUBLIC_6 = ['2001:db8::/32', '2002::/16', '2001::/32'];

const private4 = blockListOf(PRIVATE_4, 'ipv4');
const public6 = blockListOf([PUBLIC_6], 'ipv6');
const notPublic6 = blockListOf(NOT_PUBLIC_6, 'ipv6');
const ENDPOINT_MAX = 1_000;
const HOST = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$/;
const RESERVED = /(?:^|\.)(?:localhost|local|internal|intranet|lan|home|corp|test|invalid|arpa)$/;
const LOOPBACK = /^(?:127\.0\.0\.1|localhost|\[::1\])$/;

/**
 * Whether this endpoint may be stored and written to. `sandbox`: one on this machine may be, too,
 * also by http.
 */
export function isPublicEndpoint(endpoint: string, { sandbox }: { sandbox: boolean }): boolean {
  if (endpoint.length > ENDPOINT_MAX || !URL.canParse(endpoint)) return false;
  const { protocol, hostname, port, username, password, hash } = new URL(endpoint);
  if (username !== '' || password !== '' || hash !== '') return false;
  if (sandbox && LOOPBACK.test(hostname)) return protocol === 'https:' || protocol === 'http:';
  return protocol === 'https:' && port === '' && HOST.test(hostname) && !RESERVED.test(hostname);
}

/** Whether an IP address is one of the public Internet. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !private4.check(address, 'ipv4');
  return family === 6 && public6.check(address, 'ipv6') && !notPublic6.check(address, 'ipv6');
}

function blockListOf(ranges: readonly string[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [address, bits] = range.split('/') as [string, string];
    list.addSubnet(address, Number(bits), family);
  }
  return list;
}
