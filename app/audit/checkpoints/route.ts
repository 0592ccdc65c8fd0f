import { readCheckpoints } from '#lib/audit/export.ts';
import { exporter, fileHeaders } from '../file-headers.ts';

export const dynamic = 'force-dynamic';

/**
 * Every checkpoint as it was signed, to be stored elsewhere: the verifier compares a later export
 * with it.
 */
export async function GET(request: Request): Promise<Response> {
  const person = await exporter(request);
  if (person instanceof Response) return person;
  const lines = await readCheckpoints(person);
  return new Response(lines.map((line) => `${line}\n`).join(''), {
    headers: fileHeaders('application/x-ndjson; charset=utf-8', 'audit-checkpoints.jsonl'),
  });
}
