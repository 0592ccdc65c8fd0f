import { getPayout } from '#lib/programs/api/routes.ts';

export const dynamic = 'force-dynamic';

/** A payout that a program began, as it is now. */
export async function GET(
  request: Request,
  { params }: RouteContext<'/api/v1/payouts/[id]'>,
): Promise<Response> {
  return getPayout(request, (await params).id);
}
