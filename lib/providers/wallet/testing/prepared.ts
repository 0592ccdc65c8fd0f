import type { Exchange } from '../../outcome.ts';
import type { ProviderRequest } from '../../transport.ts';
import { createWalletClient } from '../client.ts';

/** Prepared responses, and a client that receives them. */

export const response = (status: number, body: unknown): Exchange => ({
  kind: 'response',
  status,
  body: typeof body === 'string' ? body : JSON.stringify(body),
  contentType: 'application/json',
});
export const ok = (payload: unknown, code: string | null = '100'): Exchange =>
  response(200, { status: 0, code, message: null, payload });
export const page = (results: unknown[], more: object = {}): Exchange =>
  ok({ results, page_index: 0, page_count: 1, page_size: 20, row_count: results.length, ...more });
export const refusal = (code: unknown, status: unknown = 2, payload: unknown = null): Exchange =>
  response(200, { status, code, message: 'bir açıklama', payload });

type Prepared = Exchange | ((request: ProviderRequest) => Exchange);

/**
 * A client whose network is a list of prepared responses, the last one repeated. Keeps every
 * request that is not a token request.
 */
export function preparedClient(...answers: Prepared[]) {
  const asked: ProviderRequest[] = [];
  let tokens = 0;
  const made = createWalletClient({
    authUrl: 'http://auth.test',
    apiUrl: 'http://api.test/wallet/',
    clientId: 'c',
    clientSecret: 's',
    scope: 'x',
    now: () => 0,
    transport: async (request) => {
      if (request.url.endsWith('/connect/token'))
        return response(200, { access_token: `T${++tokens}`, expires_in: 3600 });
      if (request.beforeWrite && !request.beforeWrite())
        return { kind: 'not_sent', why: 'held_back' };
      const answer = answers[Math.min(asked.push(request) - 1, answers.length - 1)];
      return typeof answer === 'function'
        ? answer(request)
        : (answer ?? { kind: 'unclear', why: 'closed' });
    },
  });
  return { made, asked, tokens: () => tokens };
}
