import { getTranslations } from 'next-intl/server';
import type { Person } from '#lib/access/actor.ts';
import { NotAllowed, Refusal } from '#lib/access/refusal.ts';
import type { RefusalCode } from '#lib/access/refusal.ts';
import { noteNotAllowed } from '#lib/audit/note-not-allowed.ts';
import { currentPerson } from '#lib/login/session.ts';
import { disposition } from '#lib/receipts/file-name.ts';
import { errorFields, log } from '#lib/runtime/log.ts';
import { streamOf } from './file-stream.ts';

const ALWAYS = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' };
/** Refusals that are no 403. */
const STATUS: Partial<Record<RefusalCode, number>> = {
  too_many: 429,
  not_found: 404,
  file_unavailable: 503,
};
const RETRY_SECONDS = 5;

export type FileAnswer = {
  name: string;
  type: string;
  /** Bytes; null while the file is still being written. */
  size: number | null;
  pieces: AsyncGenerator<Uint8Array>;
};

/**
 * A file as a download; `take` returns null when there is no such file, or throws a Refusal. 503
 * while the database cannot be reached.
 */
export async function answerWithFile(
  request: Request,
  take: (person: Person) => Promise<FileAnswer | null>,
): Promise<Response> {
  try {
    const person = await currentPerson();
    if (!person) return new Response(null, { status: 401, headers: ALWAYS });
    // Cross-site requests, sibling sites included, are refused: a foreign link must not write a
    // download into the audit log.
    if (/^(cross|same)-site$/.test(request.headers.get('sec-fetch-site') ?? ''))
      return new Response(null, { status: 403, headers: ALWAYS });
    return await fileOf(person, take);
  } catch (error) {
    return fileUnavailable(error);
  }
}

async function fileOf(
  person: Person,
  take: (person: Person) => Promise<FileAnswer | null>,
): Promise<Response> {
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

/** The answer to a request for a file that failed: the error is logged, and a person may try again. */
export async function fileUnavailable(error: unknown): Promise<Response> {
  log.error('a file was not sent', errorFields(error));
  return refused(new Refusal('file_unavailable'));
}

async function refused({ code, params }: Refusal): Promise<Response> {
  const text = (await getTranslations('refusals'))(code, params);
  const status = STATUS[code] ?? 403;
  const seconds = status === 503 ? RETRY_SECONDS : params['seconds'];
  return new Response(text, {
    status,
    headers: {
      ...ALWAYS,
      'Content-Type': 'text/plain; charset=utf-8',
      ...(status === 429 || status === 503 ? { 'Retry-After': String(seconds) } : {}),
    },
  });
}
