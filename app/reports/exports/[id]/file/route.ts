import { answerWithFile } from '#app/file-answer.ts';
import { takeExport } from '#lib/exports/take.ts';

export const dynamic = 'force-dynamic';

/** The file as far as it is written; an unfinished one streams on as it grows. */
export async function GET(
  request: Request,
  context: RouteContext<'/reports/exports/[id]/file'>,
): Promise<Response> {
  const { id } = await context.params;
  return answerWithFile(request, (person) => takeExport(person, id));
}
