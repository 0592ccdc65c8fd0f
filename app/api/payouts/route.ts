import { viewList } from '#app/payouts/list-view.ts';
import { may } from '#lib/access/actor.ts';
import { noteNotAllowed } from '#lib/audit/note-not-allowed.ts';
import { errorFields, log } from '#lib/runtime/log.ts';
import { currentPerson } from '#lib/login/session.ts';

export const dynamic = 'force-dynamic';

const HEADERS = { 'cache-control': 'no-store' };

/**
 * Returns another view of the list, without the page around it; `with=rows`: without totals. A
 * person asked for the view, so the request counts as activity of the session.
 */
export async function GET(request: Request): Promise<Response> {
  try {
    const person = await currentPerson();
    if (!person) return Response.json({ error: 'signed_out' }, { status: 401, headers: HEADERS });
    if (!may(person.role, 'movement.read')) {
      await noteNotAllowed(person, 'movement.read');
      return Response.json({ error: 'not_allowed' }, { status: 403, headers: HEADERS });
    }
    const { searchParams } = new URL(request.url);
    const totals = searchParams.get('with') !== 'rows';
    searchParams.delete('with');
    const { view } = await viewList(person, paramsOf(searchParams), { totals });
    return Response.json(view, { headers: HEADERS });
  } catch (error) {
    log.error('payouts not listed', errorFields(error));
    return Response.json({ error: 'unavailable' }, { status: 503, headers: HEADERS });
  }
}

/** The parameters in the shape of a page's `searchParams`: a repeated name becomes a list. */
function paramsOf(search: URLSearchParams): Record<string, string | string[]> {
  return Object.fromEntries(
    [...new Set(search.keys())].map((name) => {
      const all = search.getAll(name);
      return [name, all.length === 1 ? all[0]! : all];
    }),
  );
}
