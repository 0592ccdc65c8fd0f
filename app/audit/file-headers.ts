import { may } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { noteNotAllowed } from '#lib/audit/note-not-allowed.ts';
import { currentPerson } from '#lib/login/session.ts';

/** Of a file that leaves the product: nothing in it is ever run or shown by the browser. */
export function fileHeaders(type: string, name: string): Headers {
  return new Headers({
    'Content-Type': type,
    'Content-Disposition': `attachment; filename="${name}"`,
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'no-store',
  });
}

/**
 * Who may take the trail away; otherwise the answer. A link on somebody else's page, a sister's
 * included, must not write an export into the trail.
 */
export async function exporter(request: Request): Promise<Person | Response> {
  const person = await currentPerson();
  if (!person) return new Response(null, { status: 401 });
  if (/^(cross|same)-site$/.test(request.headers.get('sec-fetch-site') ?? ''))
    return new Response(null, { status: 403 });
  if (may(person.role, 'audit.export')) return person;
  await noteNotAllowed(person, 'audit.export');
  return new Response(null, { status: 403 });
}
