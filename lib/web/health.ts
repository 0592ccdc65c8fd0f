import 'server-only';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { readHealth } from '#lib/worker/health.ts';

const LIVE = '/api/health/live';
const READY = '/api/health/ready';

export function isHealthPath(path: string): boolean {
  return path === LIVE || path === READY;
}

/**
 * `live`: this process answers. `ready`: 200 when payouts can be accepted and sent; otherwise 503
 * with the names of what is missing. No secrets, no addresses.
 */
export async function answerHealth(
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
): Promise<void> {
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return void response.writeHead(405, { Allow: 'GET, HEAD', 'Content-Length': 0 }).end();
  const health = path === LIVE ? { live: true, ready: true } : await readHealth();
  const { ready } = health;
  const body = JSON.stringify(path === LIVE ? { live: true } : health);
  response
    .writeHead(ready ? 200 : 503, {
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(body),
    })
    .end(body);
}
