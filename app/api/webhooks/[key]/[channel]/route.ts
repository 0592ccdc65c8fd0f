import { isKnownEndpoint, takeWebhook } from '#lib/webhooks/endpoint.ts';
import { errorFields, log } from '#lib/runtime/log.ts';

export const dynamic = 'force-dynamic';

const BODY_MAX_BYTES = 16 * 1024;
/**
 * An oversized body is read to its end up to this size, so that the connection can be reused for
 * the next webhook.
 */
const READ_MAX_BYTES = 1024 * 1024;
const BODY_PATIENCE_MS = 5_000;

type Context = { params: Promise<{ key: string; channel: string }> };

/**
 * The providers' webhooks. No signature is documented, so the path has an unguessable segment and
 * the claimed status is never believed. A wrong key gets the answer of any unknown path; a stored
 * webhook gets 200 whatever it claims.
 */
export async function POST(request: Request, context: Context): Promise<Response> {
  const { key, channel } = await context.params;
  if (!isKnownEndpoint(key, channel)) return new Response(null, { status: 404 });
  const body = await readBody(request);
  if (typeof body === 'number') return new Response(null, { status: body });
  try {
    await takeWebhook(channel, body);
  } catch (error) {
    // The provider's retry is the only second chance, so it must get an error.
    log.error('notice not stored', errorFields(error));
    return new Response(null, { status: 503 });
  }
  return new Response(null, { status: 200 });
}

async function readBody(request: Request): Promise<string | 408 | 413> {
  if (Number(request.headers.get('content-length') ?? 0) > READ_MAX_BYTES) return 413;
  const reader = request.body?.getReader();
  if (!reader) return '';
  const chunks: Uint8Array[] = [];
  let size = 0;
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    void reader.cancel();
  }, BODY_PATIENCE_MS);
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      size += value.byteLength;
      if (size > READ_MAX_BYTES) return 413;
      if (size <= BODY_MAX_BYTES) chunks.push(value);
    }
  } catch {
    return 408;
  } finally {
    clearTimeout(timer);
    void reader.cancel().catch(() => undefined);
  }
  // The body was cut off: not what the provider sent, so the provider must send it again.
  if (late) return 408;
  return size > BODY_MAX_BYTES ? 413 : Buffer.concat(chunks).toString('utf8');
}
