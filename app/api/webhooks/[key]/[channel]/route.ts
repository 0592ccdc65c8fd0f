import { isKnownEndpoint, takeWebhook } from '#lib/webhooks/endpoint.ts';
import { errorFields, log } from '#lib/runtime/log.ts';

export const dynamic = 'force-dynamic';

const BODY_MAX_BYTES = 16 * 1024;
/**
 * What is too large is read to its end all the same, up to here, so that the connection is good for
 * the next notice.
 */
const READ_MAX_BYTES = 1024 * 1024;
const BODY_PATIENCE_MS = 5_000;

type Context = { params: Promise<{ key: string; channel: string }> };

/**
 * The provider's notices. No signature is documented, so the door is an unguessable path segment
 * and nothing a notice says is believed. A wrong key gets the answer of any unknown path; a stored
 * notice gets 200 whatever it says.
 */
export async function POST(request: Request, context: Context): Promise<Response> {
  const { key, channel } = await context.params;
  if (!isKnownEndpoint(key, channel)) return new Response(null, { status: 404 });
  const body = await readBody(request);
  if (typeof body === 'number') return new Response(null, { status: body });
  try {
    await takeWebhook(channel, body);
  } catch (error) {
    // Not stored: the provider's retry is the only second chance, so it must hear that.
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
  // What came of it is not what was sent: it must come again, whole.
  if (late) return 408;
  return size > BODY_MAX_BYTES ? 413 : Buffer.concat(chunks).toString('utf8');
}
