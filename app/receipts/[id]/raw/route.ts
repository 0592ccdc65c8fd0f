import { getLocale, getTimeZone } from 'next-intl/server';
import type { Person } from '#lib/access/actor.ts';
import type { Locale } from '#lib/values/locale.ts';
import { disposition, receiptStem } from '#lib/receipts/file-name.ts';
import { fitPhone } from '#lib/receipts/fit-phone.ts';
import { shownHtml } from '#lib/receipts/shown-html.ts';
import { readReceiptFile } from '#lib/receipts/view.ts';
import { Refusal } from '#lib/access/refusal.ts';
import { currentPerson } from '#lib/login/session.ts';
import { errorFields, log } from '#lib/runtime/log.ts';

export const dynamic = 'force-dynamic';

/**
 * The document is treated as hostile: strangers write descriptions in it. It gets an opaque origin
 * and may neither run, nor load, nor send anything. The browser's PDF viewer still starts under
 * this policy.
 */
const POLICY =
  "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; " +
  "base-uri 'none'; frame-ancestors 'self'";
const TYPES = { html: 'text/html; charset=utf-8', pdf: 'application/pdf' };
/** Replaces a document that would block a browser or this process. */
const NOT_SHOWN =
  '<p>Bu belge gösterilemeyecek kadar karmaşık; indirerek açabilirsiniz.</p>' +
  '<p>This document is too complex to be shown; download it to open it.</p>';
const ALWAYS = { 'Cache-Control': 'no-store' };

/**
 * The document as shown, stripped of everything that opens connections. `?download=1` returns the
 * stored bytes (and audits that), `?download=ascii` under an ASCII file name, `?download=pdf` the
 * PDF that was printed of HTML. 503 while the database cannot be reached.
 */
export async function GET(
  request: Request,
  context: RouteContext<'/receipts/[id]/raw'>,
): Promise<Response> {
  try {
    const person = await currentPerson();
    if (!person) return refused(401);
    // Cross-site requests, sibling sites included, are refused: a foreign link must not write a
    // download into the audit log.
    if (/^(cross|same)-site$/.test(request.headers.get('sec-fetch-site') ?? ''))
      return refused(403);
    const download = new URL(request.url).searchParams.get('download');
    return await documentOf(person, (await context.params).id, download);
  } catch (error) {
    if (error instanceof Refusal) return refused(403);
    log.error('a receipt was not sent', errorFields(error));
    return refused(503);
  }
}

async function documentOf(person: Person, id: string, download: string | null): Promise<Response> {
  const file = await readReceiptFile(person, id, download !== null, download === 'pdf');
  if (!file) return refused(404);
  const isShown = download === null && file.format === 'html';
  const bytes = isShown
    ? new TextEncoder().encode(
        fitPhone(shownHtml(new TextDecoder().decode(file.bytes)) ?? NOT_SHOWN),
      )
    : file.bytes;
  const headers = new Headers({
    ...ALWAYS,
    'Content-Type': TYPES[file.format],
    'Content-Security-Policy': POLICY,
    'Content-Length': String(bytes.byteLength),
  });
  const ascii = download === 'ascii';
  const name = receiptStem(file.row, {
    template: 'full',
    ascii,
    locale: (await getLocale()) as Locale,
    zone: await getTimeZone(),
  });
  headers.set(
    'Content-Disposition',
    disposition(download === null ? 'inline' : 'attachment', `${name}.${file.format}`, ascii),
  );
  return new Response(bytes, { headers });
}

function refused(status: 401 | 403 | 404 | 503): Response {
  return new Response(null, {
    status,
    headers: { ...ALWAYS, 'Content-Security-Policy': "sandbox; default-src 'none'" },
  });
}
