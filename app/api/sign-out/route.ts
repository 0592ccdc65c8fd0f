import { cookies } from 'next/headers';
import * as z from 'zod';
import { fromOwnOrigin } from '#lib/runtime/origin.ts';
import { currentPerson, endSessions, sessionCookie } from '#lib/login/session.ts';

export const dynamic = 'force-dynamic';

/**
 * Whoever sits here next finds no page of this person; language and appearance are cookies of the
 * browser and stay.
 */
const LEAVE_NOTHING = { 'Clear-Site-Data': '"cache", "storage"' };

const question = z.object({ everywhere: z.boolean() });

/**
 * Ends this session for good, or every session of the person; the cookie alone would still be worth
 * something. No server action: those cannot tell the browser to forget.
 */
export async function POST(request: Request): Promise<Response> {
  if (!(await fromOwnOrigin()) || request.headers.get('content-type') !== 'application/json')
    return new Response(null, { status: 403 });
  const asked = question.safeParse(await request.json().catch(() => null));
  if (!asked.success) return new Response(null, { status: 400 });
  const person = await currentPerson({ touch: false });
  if (person) await endSessions(person, asked.data.everywhere ? 'all' : person.sessionId);
  const { name, options } = sessionCookie();
  // Not `delete`: a browser drops the `__Host-` cookie only for an answer that has all its
  // attributes.
  (await cookies()).set(name, '', { ...options, maxAge: 0 });
  return new Response(null, { status: 204, headers: LEAVE_NOTHING });
}
