import { redirect } from 'next/navigation';
import { getLocale, getTimeZone, getTranslations } from 'next-intl/server';
import { messageOf } from '#app/action-message.ts';
import type { ActionMessage } from '#components/action-button.tsx';
import { may } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { askForExport } from '#lib/exports/ask.ts';
import type { ExportAsked } from '#lib/exports/ask.ts';
import { PROFILES } from '#lib/exports/profile.ts';
import { moneyAction } from '#lib/login/action.ts';
import { dayIn } from '#lib/values/dates.ts';
import type { Locale } from '#lib/values/locale.ts';

type Frame = ExportAsked['frame'];
type Read = { params: Record<string, string>; now: string; locale: Locale; zone: string };

/** A list's own texts of its file; without the day, which is added to the file's name. */
export type OwnFrame = Pick<Frame, 'fileName' | 'title' | 'filter' | 'columns' | 'codes'> & {
  labels?: Partial<Frame['labels']>;
};

/**
 * Queues an export of the list whose query string is in the form, and redirects to the exports.
 * `read` returns the list's filter as a query string and the texts of its file.
 */
export async function requestExport(
  source: ExportAsked['source'],
  form: FormData,
  read: (actor: Person, from: Read) => Promise<{ filter: string; frame: OwnFrame }>,
): Promise<ActionMessage> {
  const asked = await moneyAction(async (actor) => {
    const params = Object.fromEntries(new URLSearchParams(String(form.get('filter') ?? '')));
    const now = new Date().toISOString();
    const [locale, zone] = [(await getLocale()) as Locale, await getTimeZone()];
    const { filter, frame } = await read(actor, { params, now, locale, zone });
    return askForExport(actor, {
      source,
      profile: PROFILES.find((known) => known === form.get('profile')) ?? 'xlsx',
      filter,
      frame: await wholeFrame(actor, frame, locale, dayIn(now, zone)),
    });
  });
  return typeof asked === 'string' ? redirect(`/reports/exports#${asked}`) : messageOf(asked);
}

/** The texts of a file that every file has, added to its own. `day`: at the end of its name. */
export async function wholeFrame(
  person: Person,
  own: OwnFrame,
  locale: Locale,
  day: string,
): Promise<Frame> {
  const t = await getTranslations('exports');
  const labels = t.raw('labels') as Omit<Frame['labels'], 'personalIs'> &
    Record<'personalWhole' | 'personalMasked', string>;
  return {
    ...own,
    locale,
    fileName: `${own.fileName}-${day}`,
    labels: {
      ...labels,
      ...own.labels,
      personalIs: may(person.role, 'payee.read') ? labels.personalWhole : labels.personalMasked,
    },
  };
}
