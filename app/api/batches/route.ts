import { getTranslations } from 'next-intl/server';
import { may } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { Refusal } from '#lib/access/refusal.ts';
import { noteNotAllowed } from '#lib/audit/note-not-allowed.ts';
import { createDraft } from '#lib/batches/draft/create.ts';
import { currentPerson } from '#lib/login/session.ts';
import { errorFields, log } from '#lib/runtime/log.ts';
import { fromOwnOrigin } from '#lib/runtime/origin.ts';

export const dynamic = 'force-dynamic';

const HEADERS = { 'cache-control': 'no-store' };
/** What a page may say that it sends; a form of another site can send neither. */
const AS_FILE = 'application/octet-stream';
const AS_PASTE = 'application/x-payout-rows';

/**
 * Takes a payouts file, or rows that were pasted, and stores a draft. Not a server action: those
 * take 64 kB. The address names the wallet, a header the file. The body is read after the checks
 * of origin, session and role; its size was checked before any of them (`request-screen.ts`).
 */
export async function POST(request: Request): Promise<Response> {
  if (!(await fromOwnOrigin())) return problem(403);
  try {
    const person = await currentPerson();
    if (!person) return problem(401);
    if (!may(person.role, 'payout.prepare')) {
      await noteNotAllowed(person, 'payout.prepare');
      return problem(403);
    }
    const type = request.headers.get('content-type');
    if (type !== AS_FILE && type !== AS_PASTE) return problem(403);
    return Response.json(await storeDraft(request, person, type), { headers: HEADERS });
  } catch (error) {
    if (error instanceof Refusal) return refused(error);
    log.error('payouts file not stored', errorFields(error));
    return problem(503);
  }
}

async function storeDraft(request: Request, person: Person, type: string): Promise<{ id: string }> {
  const wallet = new URL(request.url).searchParams.get('wallet') ?? '';
  const bytes = new Uint8Array(await request.arrayBuffer());
  const given =
    type === AS_PASTE
      ? { text: new TextDecoder().decode(bytes) }
      : { bytes, name: fileName(request.headers.get('x-file-name')) };
  return createDraft(person, given, wallet);
}

/** A header holds ASCII alone, so that names are percent-encoded. */
function fileName(header: string | null): string {
  try {
    return decodeURIComponent(header ?? '');
  } catch {
    return '';
  }
}

async function refused({ code, params }: Refusal): Promise<Response> {
  const text = (await getTranslations('refusals'))(code, params);
  const status = code === 'too_many' ? 429 : code === 'not_allowed' ? 403 : 422;
  return Response.json({ text }, { status, headers: HEADERS });
}

function problem(status: 401 | 403 | 503): Response {
  return Response.json({ text: null }, { status, headers: HEADERS });
}
