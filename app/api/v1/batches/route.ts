import { postBatch } from '#lib/programs/api/routes.ts';

export const dynamic = 'force-dynamic';

/** Prepares a batch for a program with an API key. */
export function POST(request: Request): Promise<Response> {
  return postBatch(request);
}
