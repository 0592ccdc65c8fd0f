import { takeReturn } from '#lib/cards/checkout/take-return.ts';
import { errorFields, log } from '#lib/runtime/log.ts';
import { merchantId } from '#lib/access/merchant.ts';

export const dynamic = 'force-dynamic';

const FIELDS_MAX_CHARACTERS = 16 * 1024;
/**
 * The page for a customer who paid by a link. The endpoint is public, so the page reveals nothing
 * about the payment.
 */
const GOODBYE =
  '<!DOCTYPE html><html lang="tr"><meta charset="utf-8">' +
  '<meta name="viewport" content="width=device-width"><title>Ödeme</title>' +
  '<h1>İşleminiz bitti.</h1>' +
  '<p>Bu sayfayı kapatabilirsiniz. Sonucu işletme doğrular.</p>' +
  '<p lang="en">You can close this page. The merchant confirms the outcome.</p></html>';

/**
 * The gateway sends the browser here after the bank's step, for success and for failure, by GET or
 * by POST, perhaps without a session. Untrusted: the parameters only trigger a check of the
 * payment's record. The page it redirects to requires a session.
 */
export async function GET(request: Request): Promise<Response> {
  return answer(new URL(request.url).searchParams);
}

export async function POST(request: Request): Promise<Response> {
  const isForm =
    request.headers.get('content-type')?.startsWith('application/x-www-form-urlencoded') ?? false;
  // A body without a length, longer than any real return, or that breaks off, is ignored.
  const body =
    isForm &&
    Number(request.headers.get('content-length') ?? FIELDS_MAX_CHARACTERS + 1) <=
      FIELDS_MAX_CHARACTERS
      ? await request.text().catch(() => '')
      : '';
  return answer(new URLSearchParams(body));
}

async function answer(fields: URLSearchParams): Promise<Response> {
  // Losing a return is harmless: the worker reads the payment's record anyway.
  const found =
    fields.size === 0
      ? null
      : await takeReturn(merchantId(), fields).catch(
          (error: unknown) => (log.error('return not kept', errorFields(error)), null),
        );
  if (found?.kind === 'link')
    return new Response(GOODBYE, {
      headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' },
    });
  return new Response(null, {
    status: 303,
    headers: {
      location: `/cards/payments${found === null ? '' : `/${found.id}`}`,
      'cache-control': 'no-store',
    },
  });
}
