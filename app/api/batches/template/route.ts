import * as z from 'zod';
import { answerWithFile } from '#app/file-answer.ts';
import { makeTemplate, TEMPLATE_FORMATS } from '#lib/batches/draft/template.ts';
import { LOCALES } from '#lib/values/locale.ts';

export const dynamic = 'force-dynamic';

const question = z.object({
  format: z.enum(TEMPLATE_FORMATS).catch('xlsx'),
  language: z.enum(LOCALES).catch('tr'),
});

/** An empty payouts file to fill in: `?format=csv&language=en`. */
export async function GET(request: Request): Promise<Response> {
  const asked = question.parse(Object.fromEntries(new URL(request.url).searchParams));
  return answerWithFile(request, async (person) => {
    const { name, type, bytes } = makeTemplate(person, asked.format, asked.language);
    return { name, type, size: bytes.length, pieces: inOnePiece(bytes) };
  });
}

async function* inOnePiece(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
