import { getLocale, getTimeZone, getTranslations } from 'next-intl/server';
import { answerWithFile } from '#app/file-answer.ts';
import { wholeFrame } from '#app/reports/exports/request.ts';
import { batchResult } from '#lib/batches/run/result.ts';
import { PROFILES } from '#lib/exports/profile.ts';
import { MESSAGES } from '#lib/runtime/messages.ts';
import { dayIn } from '#lib/values/dates.ts';
import type { Locale } from '#lib/values/locale.ts';

/** The uploaded file with the state, times, fee and references of each row. */
export async function GET(
  request: Request,
  { params }: { params: Promise<{ id: string }> },
): Promise<Response> {
  const { id } = await params;
  const asked = new URL(request.url).searchParams.get('profile');
  return answerWithFile(request, async (person) => {
    const [locale, zone] = [(await getLocale()) as Locale, await getTimeZone()];
    const t = await getTranslations('batchRun');
    const own = {
      fileName: t('result.file'),
      title: t('result.title'),
      filter: [],
      columns: t.raw('result.columns') as Record<string, string>,
      codes: {
        state: {
          ...(MESSAGES[locale].states as Record<string, string>),
          ...(t.raw('result.states') as Record<string, string>),
        },
        kind: t.raw('result.kinds') as Record<string, string>,
      },
    };
    const frame = await wholeFrame(person, own, locale, dayIn(new Date().toISOString(), zone));
    const words = t.raw('refused') as Record<string, string>;
    const { bytes, ...file } = await batchResult(person, id, {
      profile: PROFILES.find((known) => known === asked) ?? 'xlsx',
      frame: { ...frame, zone, role: person.role, by: person.name },
      reasonOf: (code) => words[code] ?? code,
    });
    return { ...file, size: bytes.length, pieces: once(bytes) };
  });
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
