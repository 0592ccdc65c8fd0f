import { readHealth } from '#lib/worker/health.ts';

export const dynamic = 'force-dynamic';

/**
 * 200 when payouts can be accepted and sent; otherwise 503 with the names of what is missing. No
 * secrets, no addresses.
 */
export async function GET(): Promise<Response> {
  const health = await readHealth();
  return Response.json(health, {
    status: health.ready ? 200 : 503,
    headers: { 'cache-control': 'no-store' },
  });
}
