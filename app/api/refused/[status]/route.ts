export const dynamic = 'force-dynamic';

const TEXTS = new Map([
  ['400', 'Bu adres okunamıyor. / This address cannot be read.'],
  ['411', 'İsteğin uzunluğu belirtilmemiş. / The request names no length.'],
  ['413', 'Gönderilen içerik çok büyük. / What was sent is too large.'],
]);

/**
 * The answer for requests that `lib/runtime/http-server.ts` refuses before any page or route sees
 * them.
 */
export async function GET(
  _request: Request,
  context: { params: Promise<{ status: string }> },
): Promise<Response> {
  const { status } = await context.params;
  const text = TEXTS.get(status);
  return text === undefined
    ? new Response(null, { status: 404 })
    : new Response(`${text}\n`, {
        status: Number(status),
        headers: { 'content-type': 'text/plain; charset=utf-8' },
      });
}
