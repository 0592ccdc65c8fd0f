import 'server-only';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { errorFields, log } from '#lib/runtime/log.ts';
import { counter } from '#lib/runtime/metrics.ts';
import { isKnownEndpoint, takeWebhook } from './endpoint.ts';

const BODY_MAX_BYTES = 16 * 1024;
/**
 * An oversized body is read to its end up to this size, so that the connection can be reused for
 * the next webhook.
 */
const READ_MAX_BYTES = 1024 * 1024;
const BODY_PATIENCE_MS = 5_000;
const countWebhook = counter(
  'dashboard_webhooks_total',
  'Webhooks with a valid key, by channel and status of the answer.',
);
const ADDRESS = /^\/api\/webhooks\/([^/]+)\/([^/]+)$/;

/**
 * The key and the channel in the path of a webhook address; null for every other path. The path has
 * passed `screenRequest`, so it can be decoded.
 */
export function webhookAddress(path: string): { key: string; channel: string } | null {
  const [, key, channel] = ADDRESS.exec(path) ?? [];
  if (key === undefined || channel === undefined) return null;
  return { key: decodeURIComponent(key), channel };
}

/**
 * The providers' webhooks. No signature is documented, so the path has an unguessable segment and
 * the claimed status is never believed. A wrong key gets 404; a stored webhook gets 200 whatever it
 * claims, after the commit that holds it.
 */
export async function answerWebhook(
  request: IncomingMessage,
  response: ServerResponse,
  { key, channel }: { key: string; channel: string },
): Promise<void> {
  if (request.method !== 'POST') return end(request, response, 405, { Allow: 'POST' });
  if (!isKnownEndpoint(key, channel)) return end(request, response, 404);
  const body = await readBody(request);
  if (body === null) return;
  if (typeof body === 'number') return end(request, response, body, {}, channel);
  try {
    await takeWebhook(channel, body);
  } catch (error) {
    // The provider's retry is the only second chance, so it must get an error.
    log.error('notice not stored', errorFields(error));
    return end(request, response, 503, {}, channel);
  }
  end(request, response, 200, {}, channel);
}

function end(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  headers: Record<string, string> = {},
  channel?: 'wallet' | 'card',
): void {
  if (channel !== undefined) countWebhook({ channel, status });
  // What was not read of a body is not read any more.
  const close = request.complete ? {} : { Connection: 'close' };
  response.writeHead(status, { 'Content-Length': 0, ...headers, ...close }).end();
}

/**
 * Reads the body to its end. A status: why it is refused. Null: the client has gone, and nobody
 * waits for an answer.
 */
function readBody(request: IncomingMessage): Promise<string | 408 | 413 | null> {
  if (Number(request.headers['content-length'] ?? 0) > READ_MAX_BYTES) return Promise.resolve(413);
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const settle = (result: string | 408 | 413 | null): void => {
      clearTimeout(timer);
      request.off('data', onData);
      resolve(result);
    };
    // The body was cut off: not what the provider sent, so the provider must send it again.
    const timer = setTimeout(() => settle(408), BODY_PATIENCE_MS);
    const onData = (chunk: Buffer): void => {
      size += chunk.byteLength;
      if (size > READ_MAX_BYTES) settle(413);
      else if (size <= BODY_MAX_BYTES) chunks.push(chunk);
    };
    request.on('data', onData);
    request.once('end', () =>
      settle(size > BODY_MAX_BYTES ? 413 : Buffer.concat(chunks).toString('utf8')),
    );
    request.once('close', () => settle(null));
    request.once('error', () => settle(null));
  });
}
