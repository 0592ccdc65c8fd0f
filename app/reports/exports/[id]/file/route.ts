import { getTranslations } from 'next-intl/server';
import { streamOf } from '#app/file-stream.ts';
import { takeExport } from '#lib/exports/take.ts';
import { disposition } from '#lib/receipts/file-name.ts';
import { Refusal } from '#lib/access/refusal.ts';
import { currentPerson } from '#lib/login/session.ts';

export const dynamic = 'force-dynamic';

const ALWAYS = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' };

/** The file as far as it is written; an unfinished one streams on as it grows. */
export async function GET(
  request: Request,
  context: RouteContext<'/reports/exports/[id]/file'>,
): Promise<Response> {
  const person = await currentPerson();
  if (!person) return new Response(null, { status: 401, headers: ALWAYS });
  // Cross-site requests, sibling sites included, are refused: a foreign link must not write a
  // download into the audit trail.
  if (/^(cross|same)-site$/.test(request.headers.get('sec-fetch-site') ?? ''))
    return new Response(null, { status: 403, headers: ALWAYS });
  try {
    const file = await takeExport(person, (await context.params).id);
    if (file === null) return new Response(null, { status: 404, headers: ALWAYS });
    const headers = new Headers({
      ...ALWAYS,
      'Content-Type': file.type,
      'Content-Disposition': disposition('attachment', file.name, true),
    });
    if (file.size !== null) headers.set('Content-Length', String(file.size));
    return new Response(streamOf(file.pieces), { headers });
  } catch (error) {
    if (error instanceof Refusal) return refused(error);
    throw error;
  }
}

async function refused({ code, params }: Refusal): Promise<Response> {
  const text = (await getTranslations('refusals'))(code, params);
  const tooMany = code === 'too_many';
  return new Response(text, {
    status: tooMany ? 429 : 403,
    headers: {
      ...ALWAYS,
      'Content-Type': 'text/plain; charset=utf-8',
      ...(tooMany ? { 'Retry-After': String(params['seconds']) } : {}),
    },
  });
}
