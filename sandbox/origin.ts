/**
 * The control interface is for this machine's own programs and for the sandbox's own page. A web
 * page from elsewhere, also one that rebinds its name to this address, must not be able to drive
 * it.
 */

const LOCAL_NAMES = new Set(['127.0.0.1', 'localhost', '[::1]']);

const nameOf = (host: string): string => host.replace(/:\d+$/, '').toLowerCase();

/** A sentence when the request comes from a foreign page, else null. */
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
