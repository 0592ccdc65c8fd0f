import 'server-only';
import { lookup as resolve } from 'node:dns';
import { request as requestHttp } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { LookupFunction } from 'node:net';
import webPush from 'web-push';
import { env } from '#lib/runtime/env.ts';
import { isPublicAddress, isPushEndpoint } from './address.ts';
import type { PushIdentity } from './identity.ts';

/** How long a push service keeps a message for a device that is off. */
const KEPT_SECONDS = 12 * 60 * 60;
const PATIENCE_MS = 10_000;

export type PushTarget = { endpoint: string; p256dh: string; auth: string };

/**
 * `sent`: the service took it. `gone`: the browser has given the subscription up. `refused`: the
 * service certainly did not take it and may later. `unclear`: it may have taken it. `never`: it
 * will not take this message.
 */
export type PushOutcome = 'sent' | 'gone' | 'refused' | 'unclear' | 'never';

export type PushService = {
  send(target: PushTarget, identity: PushIdentity, payload: string): Promise<PushOutcome>;
};

/** The services that browsers name, reached directly: no proxy, no redirect. */
export function pushService(): PushService {
  const { sandboxOn, appOrigin, mailFrom } = env();
  // Push services ask for somebody to write to. A browser's own service refuses an http address.
  const subject = appOrigin.startsWith('https:')
    ? appOrigin
    : `mailto:${mailFrom ?? 'desk@localhost.localdomain'}`;
  return {
    send: async (target, identity, payload) => {
      if (!isPushEndpoint(target.endpoint, { sandbox: sandboxOn })) return 'gone';
      const { headers, body, endpoint } = webPush.generateRequestDetails(
        { endpoint: target.endpoint, keys: { p256dh: target.p256dh, auth: target.auth } },
        payload,
        {
          vapidDetails: { subject, ...identity },
          TTL: KEPT_SECONDS,
          urgency: 'normal',
          contentEncoding: 'aes128gcm',
        },
      );
      return post(new URL(endpoint), headers, body, { sandbox: sandboxOn });
    },
  };
}

function post(
  url: URL,
  headers: Record<string, string | number>,
  body: Buffer | null,
  { sandbox }: { sandbox: boolean },
): Promise<PushOutcome> {
  const isSecure = url.protocol === 'https:';
  return new Promise((settle) => {
    let isConnected = false;
    const request = (isSecure ? requestHttps : requestHttp)(url, {
      method: 'POST',
      headers: { ...headers },
      timeout: PATIENCE_MS,
      agent: false,
      lookup: publicLookup(sandbox),
    });
    request
      .on('socket', (socket) =>
        socket.once(isSecure ? 'secureConnect' : 'connect', () => (isConnected = true)),
      )
      .on('response', (response) => settle(outcomeOf(response)))
      .on('timeout', () => request.destroy(new Error('no answer')))
      .on('error', () => settle(isConnected ? 'unclear' : 'refused'))
      .end(body ?? undefined);
  });
}

function outcomeOf(response: IncomingMessage): PushOutcome {
  response.resume();
  const status = response.statusCode ?? 0;
  if (status >= 200 && status < 300) return 'sent';
  if (status === 404 || status === 410) return 'gone';
  return status === 429 || status >= 500 ? 'refused' : 'never';
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
        return done(new Error('the push service has no public address'), '', 0);
      // Node asks for all addresses when it may try several; both forms of the answer are used.
      if (options.all === true) return done(null, addresses);
      done(null, first.address, first.family);
    });
  };
}
