/**
 * Protects the control interface: only programs of this machine and the sandbox's own page may use
 * it. A web page from another origin must not control it, not even by DNS rebinding.
 */

const LOCAL_NAMES = new Set(['127.0.0.1', 'localhost', '[::1]']);

const nameOf = (host: string): string => host.replace(/:\d+$/, '').toLowerCase();

/** Returns an error sentence when the request comes from a foreign page, else null. */
export function isForeign(headers: Record<string, string>): string | null {
  const host = headers.host ?? '';
  const openToNetwork = !['', '127.0.0.1', 'localhost', '::1'].includes(process.env.HOST ?? '');
  if (!openToNetwork && !LOCAL_NAMES.has(nameOf(host)))
    return 'the control interface answers only under the name of this machine';
  const origin = headers.origin;
  if (origin !== undefined && origin !== `http://${host}`)
    return 'the control interface does not take calls from other origins';
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none')
    return 'the control interface does not take calls from other sites';
  return null;
}
