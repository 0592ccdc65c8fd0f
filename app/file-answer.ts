import { getTranslations } from 'next-intl/server';
import type { Person } from '#lib/access/actor.ts';
import { NotAllowed, Refusal } from '#lib/access/refusal.ts';
import { noteNotAllowed } from '#lib/audit/note-not-allowed.ts';
import { currentPerson } from '#lib/login/session.ts';
import { disposition } from '#lib/receipts/file-name.ts';
import { streamOf } from './file-stream.ts';

const ALWAYS = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' };

export type FileAnswer = {
  name: string;
  type: string;
  /** Bytes; null while the file is still being written. */
  size: number | null;
  pieces: AsyncGenerator<Uint8Array>;
};

/** A file as a download; `take` returns null when there is no such file, or throws a Refusal. */
export async function answerWithFile(
  request: Request,
  take: (person: Person) => Promise<FileAnswer | null>,
): Promise<Response> {
  const person = await currentPerson();
  if (!person) return new Response(null, { status: 401, headers: ALWAYS });
  // Cross-site requests, sibling sites included, are refused: a foreign link must not write a
  // download into the audit trail.
  if (/^(cross|same)-site$/.test(request.headers.get('sec-fetch-site') ?? ''))
    return new Response(null, { status: 403, headers: ALWAYS });
  try {
    const file = await take(person);
    if (file === null) return new Response(null, { status: 404, headers: ALWAYS });
    const headers = new Headers({
      ...ALWAYS,
      'Content-Type': file.type,
      'Content-Disposition': disposition('attachment', file.name, true),
    });
    if (file.size !== null) headers.set('Content-Length', String(file.size));
    return new Response(streamOf(file.pieces), { headers });
  } catch (error) {
    if (error instanceof NotAllowed) await noteNotAllowed(person, error.permission);
    if (error instanceof Refusal) return refused(error);
    throw error;
  }
}

async function refused({ code, params }: Refusal): Promise<Response> {
  const text = (await getTranslations('refusals'))(code, params);
  const tooMany = code === 'too_many';
  return new Response(text, {
    status: tooMany ? 429 : code === 'not_found' ? 404 : 403,
    headers: {
      ...ALWAYS,
      'Content-Type': 'text/plain; charset=utf-8',
      ...(tooMany ? { 'Retry-After': String(params['seconds']) } : {}),
    },
  });
}
