import { fileUnavailable } from '#app/file-answer.ts';
import { may } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { noteNotAllowed } from '#lib/audit/note-not-allowed.ts';
import { currentPerson } from '#lib/login/session.ts';

/** The headers of a download: the browser must neither run nor render it. */
export function fileHeaders(type: string, name: string): Headers {
  return new Headers({
    'Content-Type': type,
    'Content-Disposition': `attachment; filename="${name}"`,
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'no-store',
  });
}

/**
 * What `take` answers to the person who may export the trail, otherwise the error response; 503
 * while the database cannot be reached.
 */
export async function forExporter(
  request: Request,
  take: (person: Person) => Promise<Response>,
): Promise<Response> {
  try {
    const person = await exporter(request);
    return person instanceof Response ? person : await take(person);
  } catch (error) {
    return fileUnavailable(error);
  }
}

/**
 * Cross-site requests, sibling sites included, are refused: a foreign link must not write an export
 * into the trail.
 */
async function exporter(request: Request): Promise<Person | Response> {
  const person = await currentPerson();
  if (!person) return new Response(null, { status: 401 });
  if (/^(cross|same)-site$/.test(request.headers.get('sec-fetch-site') ?? ''))
    return new Response(null, { status: 403 });
  if (may(person.role, 'audit.export')) return person;
  await noteNotAllowed(person, 'audit.export');
  return new Response(null, { status: 403 });
}
