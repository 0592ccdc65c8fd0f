import type { Exchange } from '../../outcome.ts';
import type { ProviderRequest } from '../../transport.ts';
import { createCardClient } from '../client.ts';
import type { CardConfig } from '../client.ts';
import { hashKeyAgrees } from '../hash-key.ts';

/** Answers as tests write them, and a card client that hears them. */

export const MERCHANT_KEY = '$2y$10$MadeUp.Merchant/Key.For.Tests';
export const APP_SECRET = '0f1e2d3c4b5a69788796a5b4c3d2e1f0';

export const heard = (body: unknown, status = 200): Exchange => ({ kind: 'heard', status, body: typeof body === 'string' ? body : JSON.stringify(body), contentType: 'application/json' });
export const said = (code: unknown, more: object = {}): Exchange => heard({ status_code: code, status_description: 'bir açıklama', ...more });

type Prepared = Exchange | ((request: ProviderRequest) => Exchange);

/** A client whose network is a list of prepared answers, the last one for ever; every request that is no token request is kept. */
export function preparedCard(answers: Prepared[], more: Partial<CardConfig> = {}) {
  const asked: ProviderRequest[] = [];
  let tokens = 0;
  const made = createCardClient({
    baseUrl: 'http://card.test/', appId: 'app', appSecret: APP_SECRET, merchantKey: MERCHANT_KEY, fieldPrefix: 'svc_', entry: 'all', now: () => 0,
    transport: async (request) => {
      if (request.url.endsWith('/ccpayment/api/token')) return said(100, { data: { token: `T${++tokens}`, is_3d: 1, expires_at: '2026-11-21 12:00:00' } });
      if (request.beforeWrite && !request.beforeWrite()) return { kind: 'not_sent', why: 'held_back' };
      const answer = answers[Math.min(asked.push(request) - 1, answers.length - 1)];
      return typeof answer === 'function' ? answer(request) : (answer ?? { kind: 'unclear', why: 'closed' });
    },
    ...more,
  });
  return { made, asked, tokens: () => tokens };
}

/** Whether the body's hash key says exactly these parts. */
export function hashSays(request: ProviderRequest | undefined, parts: string[]): boolean {
  return hashKeyAgrees(APP_SECRET, (JSON.parse(request?.body ?? '{}') as { hash_key?: unknown }).hash_key, parts);
}
