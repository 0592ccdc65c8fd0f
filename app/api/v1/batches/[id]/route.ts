import { getBatch } from '#lib/programs/api/routes.ts';

export const dynamic = 'force-dynamic';

/** A batch that a program began, as it is now. */
export async function GET(
  request: Request,
  { params }: RouteContext<'/api/v1/batches/[id]'>,
): Promise<Response> {
  return getBatch(request, (await params).id);
}
