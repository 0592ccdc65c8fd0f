import { readCheckpoints } from '#lib/audit/export.ts';
import { fileHeaders, forExporter } from '../file-headers.ts';

export const dynamic = 'force-dynamic';

/**
 * Every checkpoint as it was signed, to be stored elsewhere: the verifier compares a later export
 * with it.
 */
export function GET(request: Request): Promise<Response> {
  return forExporter(request, async (person) => {
    const lines = await readCheckpoints(person);
    return new Response(lines.map((line) => `${line}\n`).join(''), {
      headers: fileHeaders('application/x-ndjson; charset=utf-8', 'audit-checkpoints.jsonl'),
    });
  });
}
