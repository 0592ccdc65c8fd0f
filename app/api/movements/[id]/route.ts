import { viewMovement } from '#lib/movement-views/view.ts';
import { errorFields, log } from '#lib/runtime/log.ts';
import { currentPerson } from '#lib/login/session.ts';
import { UUID } from '#lib/values/uuid.ts';

export const dynamic = 'force-dynamic';

const HEADERS = { 'cache-control': 'no-store' };

type Context = { params: Promise<{ id: string }> };

/** The payout page's data, read again. A background request: it does not extend the session. */
export async function GET(_request: Request, context: Context): Promise<Response> {
  const { id } = await context.params;
  try {
    const person = await currentPerson({ touch: false });
    if (!person) return Response.json({ error: 'signed_out' }, { status: 401, headers: HEADERS });
    const view = UUID.test(id) ? await viewMovement(person, id) : null;
    if (!view) return Response.json({ error: 'not_found' }, { status: 404, headers: HEADERS });
    return Response.json(view, { headers: HEADERS });
  } catch (error) {
    log.error('payout not read', errorFields(error));
    return Response.json({ error: 'unavailable' }, { status: 503, headers: HEADERS });
  }
}
