import { takeReturn } from '#lib/cards/checkout/take-return.ts';
import { errorFields, log } from '#lib/runtime/log.ts';
import { merchantId } from '#lib/access/merchant.ts';

export const dynamic = 'force-dynamic';

const FIELDS_MAX_CHARACTERS = 16 * 1024;
/**
 * Said to a customer who paid by a link, and to nobody else: this address knows nothing, and a
 * stranger learns nothing from it.
 */
const GOODBYE =
  '<!DOCTYPE html><html lang="tr"><meta charset="utf-8">' +
  '<meta name="viewport" content="width=device-width"><title>Ödeme</title>' +
  '<h1>İşleminiz bitti.</h1>' +
  '<p>Bu sayfayı kapatabilirsiniz. Sonucu işletme doğrular.</p>' +
  '<p lang="en">You can close this page. The merchant confirms the outcome.</p></html>';

/**
 * Where the gateway sends the browser after the bank's step, good or bad, by GET or by POST,
 * perhaps without a session: nothing that it brings is believed, and nobody has to be signed in for
 * it to be heard. The page that it leads to asks who is there.
 */
export async function GET(request: Request): Promise<Response> {
  return answer(new URL(request.url).searchParams);
}

export async function POST(request: Request): Promise<Response> {
  const isForm =
    request.headers.get('content-type')?.startsWith('application/x-www-form-urlencoded') ?? false;
  // What names no length, or more than any return has, is none.
  const body =
    isForm &&
    Number(request.headers.get('content-length') ?? FIELDS_MAX_CHARACTERS + 1) <=
      FIELDS_MAX_CHARACTERS
      ? await request.text()
      : '';
  return answer(new URLSearchParams(body));
}

async function answer(fields: URLSearchParams): Promise<Response> {
  // A return that cannot be kept is lost without harm: the record is read all the same.
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
