import { postPayout } from '#lib/programs/api/routes.ts';

export const dynamic = 'force-dynamic';

/** Prepares a payout for a program with an API key. */
export function POST(request: Request): Promise<Response> {
  return postPayout(request);
}
