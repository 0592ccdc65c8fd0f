import { countWaiting } from '#app/waiting.ts';
import { errorFields, log } from '#lib/runtime/log.ts';
import { currentPerson } from '#lib/login/session.ts';

export const dynamic = 'force-dynamic';

const HEADERS = { 'cache-control': 'no-store' };

/**
 * What waits in each entry of the menu, as numbers by the entry's name. A background request, which
 * does not extend the session; `pressed`: a person pressed something, and it does.
 */
export async function GET(request: Request): Promise<Response> {
  try {
    const touch = new URL(request.url).searchParams.has('pressed');
    const person = await currentPerson({ touch });
    if (!person) return Response.json({ error: 'signed_out' }, { status: 401, headers: HEADERS });
    return Response.json(await countWaiting(person), { headers: HEADERS });
  } catch (error) {
    log.error('the menu was not counted', errorFields(error));
    return Response.json({ error: 'unavailable' }, { status: 503, headers: HEADERS });
  }
}
