import { openApiDocument } from '#lib/programs/api/openapi.ts';
import { workspace } from '#lib/runtime/workspace.ts';

export const dynamic = 'force-dynamic';

/** What the API takes and answers. It names no merchant, so that a client may read it without a key. */
export function GET(): Response {
  return Response.json(openApiDocument(workspace().origin), {
    headers: { 'cache-control': 'no-store' },
  });
}
