/**
 * What counts as one caller for a rate limit. An IPv6 host has 2^64 addresses, so addresses are
 * counted by network. Pure.
 */

const GROUPS = 8;

/**
 * `subnet`: an IPv4 address, or the /64 of an IPv6 address. `site`: the /48 that one customer of a
 * provider gets; null for IPv4.
 */
export type Network = { subnet: string; site: string | null };

/** All callers whose address is unreadable count as one. */
export function networkOf(ip: string | null): Network {
  if (ip === null) return { subnet: 'unknown', site: null };
  if (!ip.includes(':')) return { subnet: ip, site: null };
  const groups = groupsOf(ip);
  return {
    subnet: `${groups.slice(0, 4).join(':')}::/64`,
    site: `${groups.slice(0, 3).join(':')}::/48`,
  };
}

/** The eight groups of an IPv6 address, in hexadecimal without leading zeros. */
function groupsOf(ip: string): string[] {
  const [head = '', tail] = ip
    .replace(/%.*$/, '')
    .replace(/(?:\d+\.){3}\d+$/, embeddedIpv4)
    .split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = Array.from({ length: GROUPS - left.length - right.length }, () => '0');
  return [...left, ...zeros, ...right].map((group) => Number.parseInt(group, 16).toString(16));
}

function embeddedIpv4(ip: string): string {
  const [a = 0, b = 0, c = 0, d = 0] = ip.split('.').map(Number);
  return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
}
