import * as z from 'zod';
import { searchWords } from '#app/search/search-words.ts';
import { viewProviderSearch, viewSearch } from '#app/search/search-view.ts';
import { errorFields, log } from '#lib/runtime/log.ts';
import { fromOwnOrigin } from '#lib/runtime/origin.ts';
import { Refusal } from '#lib/access/refusal.ts';
import { currentPerson } from '#lib/login/session.ts';

export const dynamic = 'force-dynamic';

const HEADERS = { 'cache-control': 'no-store' };
const asked = z.object({ text: z.string().max(1_000), at: z.enum(['open', 'here', 'provider']) });

/**
 * Results for the search box. POST, so that search texts appear in no address and in no access log.
 */
export async function POST(request: Request): Promise<Response> {
  try {
    if (!(await fromOwnOrigin()))
      return Response.json({ error: 'origin' }, { status: 403, headers: HEADERS });
    const person = await currentPerson();
    if (!person) return Response.json({ error: 'signed_out' }, { status: 401, headers: HEADERS });
    const body = asked.safeParse(await request.json().catch(() => null));
    if (!body.success)
      return Response.json({ error: 'not_understood' }, { status: 400, headers: HEADERS });
    const { text, at } = body.data;
    const view =
      at === 'provider' ? await viewProviderSearch(person, text) : await viewSearch(person, text);
    return Response.json(at === 'open' ? { ...view, words: await searchWords() } : view, {
      headers: HEADERS,
    });
  } catch (error) {
    if (error instanceof Refusal)
      return Response.json(
        { error: error.code, ...error.params },
        { status: error.code === 'too_many' ? 429 : 403, headers: HEADERS },
      );
    log.error('search failed', errorFields(error));
    return Response.json({ error: 'unavailable' }, { status: 503, headers: HEADERS });
  }
}
