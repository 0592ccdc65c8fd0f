export const dynamic = 'force-dynamic';

export function GET(): Response {
  return Response.json({ live: true }, { headers: { 'cache-control': 'no-store' } });
}
