import { getTranslations } from 'next-intl/server';
import { answerWithFile } from '#app/file-answer.ts';
import { dayIn } from '#lib/values/dates.ts';
import { takeArchive } from '#lib/receipts/archives/take.ts';
import { workspace } from '#lib/runtime/workspace.ts';
import { archiveWords } from '../../archive-words.ts';

export const dynamic = 'force-dynamic';

const TYPES = { zip: 'application/zip', pdf: 'application/pdf' };

/** The archive in its present state, written while it is downloaded. */
export async function GET(
  request: Request,
  context: RouteContext<'/receipts/archives/[id]/file'>,
): Promise<Response> {
  const { id } = await context.params;
  return answerWithFile(request, async (person) => {
    const file = await takeArchive(person, id);
    if (file === null) return null;
    const { archive } = file;
    const word = (await getTranslations('receipts.archives'))('file');
    const day = dayIn(archive.createdAt, workspace().timeZone);
    return {
      name: `${word}-${day}-${archive.counts.ready}-${archive.asked}.${archive.fileType}`,
      type: TYPES[archive.fileType],
      size: null,
      pieces: file.pieces(await archiveWords(person, archive)),
    };
  });
}
