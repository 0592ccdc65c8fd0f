import 'server-only';
import type { Exchange } from '../outcome.ts';
import type { ProviderRequest } from '../transport.ts';
import { createCardClient } from './client.ts';
import type { CardClient, CardConfig } from './client.ts';
import { makeHashKey } from './hash-key.ts';

/**
 * For tests: a card client with a list of prepared responses as its network, and the gateway's hash
 * keys.
 */

export const APP_SECRET = 'canary-secret-0f1e2d3c';
export const MERCHANT_KEY = '$2y$10$MadeUp.Merchant/Key.For.Tests';

export const response = (status: number, body: unknown): Exchange => ({
  kind: 'response',
  status,
  body: typeof body === 'string' ? body : JSON.stringify(body),
  contentType: 'application/json',
});

export type Played = { made: CardClient; asked: ProviderRequest[]; tokens: () => number };

/**
 * A card client that receives these responses in turn, the last one again and again. `asked` keeps
 * every request that is not a token request.
 */
export function clientOf(
  answers: (Exchange | ((request: ProviderRequest) => Exchange))[],
  more: Partial<CardConfig> = {},
): Played {
  const asked: ProviderRequest[] = [];
  let tokens = 0;
  const made = createCardClient({
    baseUrl: 'http://card.test/base/',
    appId: 'app',
    appSecret: APP_SECRET,
    merchantKey: MERCHANT_KEY,
    fieldPrefix: 'svc_',
    entry: 'all',
    now: () => 0,
    transport: async (request) => {
      if (request.url.endsWith('/ccpayment/api/token'))
        return response(200, {
          status_code: 100,
          status_description: 'ok',
          data: { token: `T${++tokens}`, is_3d: 1, expires_at: '2026-11-21 18:00:00' },
        });
      if (request.beforeWrite && !request.beforeWrite())
        return { kind: 'not_sent', why: 'held_back' };
      const answer = answers[Math.min(asked.push(request) - 1, answers.length - 1)];
      return typeof answer === 'function'
        ? answer(request)
        : (answer ?? { kind: 'unclear', why: 'closed' });
    },
    ...more,
  });
  return { made, asked, tokens: () => tokens };
}

/** The hash key that the gateway adds to its responses about money. */
export const gatewayHash = (
  status: string,
  total: string,
  invoiceId: string,
  orderId: string,
  currency: string,
): string => makeHashKey(APP_SECRET, [status, total, invoiceId, orderId, currency]);
