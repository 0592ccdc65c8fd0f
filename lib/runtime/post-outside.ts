import 'server-only';
import { lookup as resolve } from 'node:dns';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { LookupFunction } from 'node:net';
import { isPublicAddress } from './public-address.ts';

const PATIENCE_MS = 10_000;

/**
 * `failed`: no status came back. `isConnected`: the other side may have read the request; `why`: the
 * name of the fault: `not_public`, `timed_out`, or one of Node such as ECONNREFUSED.
 */
export type PostOutcome =
  | { kind: 'answered'; status: number }
  | { kind: 'failed'; isConnected: boolean; why: string };

/**
 * Posts to an address that a person or a browser named: directly, without a proxy, and no redirect
 * is followed. Of the answer only the status is read. `sandbox`: a server on this machine is
 * allowed.
 */
export function postOutside(
  url: URL,
  headers: Record<string, string | number>,
  body: Buffer | string,
  { sandbox }: { sandbox: boolean },
): Promise<PostOutcome> {
  const isSecure = url.protocol === 'https:';
  return new Promise((settle) => {
    let isConnected = false;
    const request = (isSecure ? requestHttps : requestHttp)(url, {
      method: 'POST',
      headers: { ...headers },
      agent: false,
      lookup: publicLookup(sandbox),
      // For the whole exchange: a server that sends a byte now and then would hold it for ever.
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    request
      .on('socket', (socket) =>
        socket.once(isSecure ? 'secureConnect' : 'connect', () => (isConnected = true)),
      )
      .on('response', (response) => {
        settle({ kind: 'answered', status: response.statusCode ?? 0 });
        response.destroy();
      })
      // Without a listener Node closes the connection of such an answer and reports nothing, ever.
      .on('upgrade', (response, socket) => {
        settle({ kind: 'answered', status: response.statusCode ?? 0 });
        socket.destroy();
      })
      .on('error', (error: Fault) => settle({ kind: 'failed', isConnected, why: faultOf(error) }))
      .end(body);
  });
}

type Fault = Error & { code?: string };

function faultOf({ code, name }: Fault): string {
  return code === 'ABORT_ERR' ? 'timed_out' : (code ?? name);
}

/**
 * Resolves a name and refuses it when any of its addresses is private: the name is the person's to
 * choose, and its owner decides where it leads.
 */
function publicLookup(sandbox: boolean): LookupFunction {
  return (hostname, options, done) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return done(error, '', 0);
      const isHere = sandbox && hostname === 'localhost';
      const [first] = addresses;
      if (
        first === undefined ||
        !(isHere || addresses.every(({ address }) => isPublicAddress(address)))
      )
        return done(
          Object.assign(new Error('the host has no public address'), { code: 'not_public' }),
          '',
          0,
        );
      // Node asks for all addresses when it may try several; both forms of the answer are used.
      if (options.all === true) return done(null, addresses);
      done(null, first.address, first.family);
    });
  };
}
