import { getTimeZone, getTranslations } from 'next-intl/server';
import { openExport } from '#lib/audit/export.ts';
import { readAuditQuery } from '#lib/audit/filter.ts';
import { Refusal } from '#lib/access/refusal.ts';
import { dayIn } from '#lib/values/dates.ts';
import { fileHeaders, forExporter } from '../file-headers.ts';

export const dynamic = 'force-dynamic';

const TYPES = { ndjson: 'application/x-ndjson; charset=utf-8', csv: 'text/csv; charset=utf-8' };

/**
 * The trail as a file. `?scope=filter` with the page's parameters: the filtered entries; otherwise
 * the whole chain. `?format=csv` for a spreadsheet, `?personal=1` with names and addresses.
 */
export function GET(request: Request): Promise<Response> {
  return forExporter(request, async (person) => {
    const params = Object.fromEntries(new URL(request.url).searchParams);
    const format = params['format'] === 'csv' ? 'csv' : 'ndjson';
    const { filter } = readAuditQuery(params);
    const whole =
      params['scope'] !== 'filter' || Object.values(filter).every((value) => value === null);
    try {
      const { pieces } = await openExport(person, {
        format,
        filter: whole ? null : filter,
        personal: params['personal'] === '1',
      });
      const day = dayIn(new Date().toISOString(), await getTimeZone());
      const name = `audit-${day}${whole ? '' : '-part'}.${format}`;
      return new Response(streamOf(pieces), { headers: fileHeaders(TYPES[format], name) });
    } catch (error) {
      if (error instanceof Refusal) return refused(error);
      throw error;
    }
  });
}

/** The pieces as a stream that the client reads, so that a slow one holds one piece in memory. */
function streamOf(pieces: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    pull: async (to) => {
      const { done, value } = await pieces.next();
      if (done) to.close();
      else to.enqueue(encoder.encode(value));
    },
    cancel: async () => void (await pieces.return(undefined)),
  });
}

async function refused({ code, params }: Refusal): Promise<Response> {
  const text = (await getTranslations('refusals'))(code, params);
  const status = code === 'too_many' ? 429 : code === 'export_too_long' ? 413 : 403;
  return new Response(text, {
    status,
    headers: {
      'Content-Type': 'text/plain; charset=utf-8',
      ...(status === 429 ? { 'Retry-After': String(params['seconds']) } : {}),
    },
  });
}
