import 'server-only';
import webPush from 'web-push';
import { env } from '#lib/runtime/env.ts';
import { isPublicEndpoint } from '#lib/runtime/public-address.ts';
import { postOutside } from '#lib/runtime/post-outside.ts';
import type { PostOutcome } from '#lib/runtime/post-outside.ts';
import type { PushIdentity } from './identity.ts';

/** How long a push service keeps a message for a device that is off. */
const KEPT_SECONDS = 12 * 60 * 60;

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
      if (!isPublicEndpoint(target.endpoint, { sandbox: sandboxOn })) return 'gone';
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
      const url = new URL(endpoint);
      return outcomeOf(await postOutside(url, headers, body ?? '', { sandbox: sandboxOn }));
    },
  };
}

function outcomeOf(posted: PostOutcome): PushOutcome {
  if (posted.kind === 'failed') return posted.isConnected ? 'unclear' : 'refused';
  const { status } = posted;
  if (status >= 200 && status < 300) return 'sent';
  if (status === 404 || status === 410) return 'gone';
  return status === 429 || status >= 500 ? 'refused' : 'never';
}
