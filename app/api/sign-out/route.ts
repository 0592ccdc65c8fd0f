import { cookies } from 'next/headers';
import * as z from 'zod';
import { errorFields, log } from '#lib/runtime/log.ts';
import { fromOwnOrigin } from '#lib/runtime/origin.ts';
import { currentPerson, endSessions, sessionCookie } from '#lib/login/session.ts';

export const dynamic = 'force-dynamic';

/**
 * Makes the browser delete cached pages and storage, so that its next user finds no page of this
 * person. Language and theme are cookies and stay.
 */
const LEAVE_NOTHING = { 'Clear-Site-Data': '"cache", "storage"' };

const question = z.object({ everywhere: z.boolean() });

/**
 * Ends this session, or every session of the person, on the server: clearing the cookie alone would
 * leave a copied cookie valid. When the database cannot write it down, the answer is 503, and this
 * browser is signed out all the same. Who is signed out already ends no other session: 401. Not a
 * server action: an action cannot send Clear-Site-Data.
 */
export async function POST(request: Request): Promise<Response> {
  if (!(await fromOwnOrigin()) || request.headers.get('content-type') !== 'application/json')
    return new Response(null, { status: 403 });
  const asked = question.safeParse(await request.json().catch(() => null));
  if (!asked.success) return new Response(null, { status: 400 });
  const status = await end(asked.data.everywhere);
  const { name, options } = sessionCookie();
  // Not `delete`: a browser drops the `__Host-` cookie only when the response repeats all its
  // attributes.
  (await cookies()).set(name, '', { ...options, maxAge: 0 });
  return new Response(null, { status, headers: LEAVE_NOTHING });
}

/** The status of the answer. */
async function end(everywhere: boolean): Promise<204 | 401 | 503> {
  try {
    const person = await currentPerson({ touch: false });
    if (!person) return everywhere ? 401 : 204;
    await endSessions(person, everywhere ? 'all' : person.sessionId);
    return 204;
  } catch (error) {
    log.error('the session of a person who signs out was not ended', errorFields(error));
    return 503;
  }
}
