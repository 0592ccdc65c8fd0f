import 'server-only';
import { Refusal } from '#lib/access/refusal.ts';

const JSON_TYPE = /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;
const BODY_PATIENCE_MS = 15_000;

/**
 * The JSON of a body of at most `bytesMax` bytes. The length that a request announces was checked
 * before (`lib/runtime/request-screen.ts`); here the bytes are counted.
 *
 * @throws Refusal body_type, body_too_large, body_not_json
 */
export async function readJson(request: Request, bytesMax: number): Promise<unknown> {
  if (!JSON_TYPE.test(request.headers.get('content-type') ?? '')) throw new Refusal('body_type');
  const tooLarge = (): Refusal =>
    new Refusal('body_too_large', { kb: Math.floor(bytesMax / 1024) });
  if (Number(request.headers.get('content-length') ?? 0) > bytesMax) throw tooLarge();
  const bytes = await bytesOf(request, bytesMax);
  if (bytes === null) throw tooLarge();
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as unknown;
  } catch {
    throw new Refusal('body_not_json');
  }
}

/** Null when there are more bytes than that. A body that breaks off is not JSON. */
async function bytesOf(request: Request, bytesMax: number): Promise<Uint8Array | null> {
  const reader = request.body?.getReader();
  if (reader === undefined) return new Uint8Array();
  const timer = setTimeout(() => void reader.cancel(), BODY_PATIENCE_MS);
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return Buffer.concat(chunks);
      size += value.byteLength;
      if (size > bytesMax) return null;
      chunks.push(value);
    }
  } catch {
    throw new Refusal('body_not_json');
  } finally {
    clearTimeout(timer);
    void reader.cancel().catch(() => undefined);
  }
}
