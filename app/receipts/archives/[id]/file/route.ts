import { getTranslations } from 'next-intl/server';
import { streamOf } from '#app/file-stream.ts';
import { dayIn } from '#lib/values/dates.ts';
import { takeArchive } from '#lib/receipts/archives/take.ts';
import { disposition } from '#lib/receipts/file-name.ts';
import { Refusal } from '#lib/access/refusal.ts';
import { currentPerson } from '#lib/login/session.ts';
import { workspace } from '#lib/runtime/workspace.ts';
import { archiveWords } from '../../archive-words.ts';

export const dynamic = 'force-dynamic';

const ALWAYS = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' };

/** The archive in its present state, written while it is downloaded. */
export async function GET(
  request: Request,
  context: RouteContext<'/receipts/archives/[id]/file'>,
): Promise<Response> {
  const person = await currentPerson();
  if (!person) return new Response(null, { status: 401, headers: ALWAYS });
  // Cross-site requests, sibling sites included, are refused: a foreign link must not write a
  // download into the audit trail.
  if (/^(cross|same)-site$/.test(request.headers.get('sec-fetch-site') ?? ''))
    return new Response(null, { status: 403, headers: ALWAYS });
  try {
    const file = await takeArchive(person, (await context.params).id);
    if (file === null) return new Response(null, { status: 404, headers: ALWAYS });
    const { archive } = file;
    const word = (await getTranslations('receipts.archives'))('file');
    const day = dayIn(archive.createdAt, workspace().timeZone);
    const name = `${word}-${day}-${archive.counts.ready}-${archive.asked}.zip`;
    return new Response(streamOf(file.pieces(await archiveWords(person, archive))), {
      headers: {
        ...ALWAYS,
        'Content-Type': 'application/zip',
        'Content-Disposition': disposition('attachment', name, true),
      },
    });
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
