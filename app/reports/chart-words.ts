import { getLocale, getTimeZone, getTranslations } from 'next-intl/server';
import type { PlotWords } from '#app/wallets/flow/drawing.ts';
import type { Step, Unit } from '#lib/reports/steps.ts';
import { dayIn, formatDate } from '#lib/values/dates.ts';
import type { Locale } from '#lib/values/locale.ts';
import { formatMoney } from '#lib/values/money.ts';
import { shortMoneys } from '#lib/values/short-money.ts';

/** The texts that the charts of the reports have in common. */
export type ChartWords = PlotWords & {
  locale: Locale;
  /** '6 Mar 2026', or the two days of a week. */
  step: (step: Step) => string;
  /** The name of a row: with what is missing of the step. */
  row: (step: Step & { isRead: boolean }) => string;
  from: string;
  to: string;
  /** The last step has ended. */
  isOver: boolean;
};

/** `steps`: at least one. `now`: ISO. */
export async function chartWords(
  steps: readonly Step[],
  currency: string,
  now: string,
): Promise<ChartWords> {
  const t = await getTranslations('reports.chart');
  const locale = (await getLocale()) as Locale;
  const today = dayIn(now, await getTimeZone());
  const day = (text: string): string => formatDate(text, locale);
  const step = ({ from, to }: Step): string =>
    from === to ? day(from) : `${day(from)} – ${day(to)}`;
  const isOngoing = ({ from, to }: Step): boolean => from <= today && today <= to;
  const last = steps.at(-1)!;
  const middle = steps[Math.floor((steps.length - 1) / 2)]!;
  const ends = isOngoing(last) ? t('today') : day(last.to);
  return {
    locale,
    money: (minor) => formatMoney(minor, currency, locale),
    marks: (minors) => shortMoneys(minors, currency, locale),
    days: [...new Set([day(steps[0]!.from), day(middle.from), ends])].slice(-steps.length),
    unknown: t('unread'),
    step,
    row: (one) =>
      [
        step(one),
        ...(isOngoing(one) ? [t('ongoing')] : []),
        ...(one.isRead ? [] : [t('partlyRead')]),
      ].join(' · '),
    from: day(steps[0]!.from),
    to: day(last.to),
    isOver: !isOngoing(last),
  };
}

/** What stands below a chart: what its stripes and its cuts mean. */
export async function chartNotes(
  unit: Unit,
  { striped, cut }: { striped: boolean; cut: boolean },
): Promise<string> {
  const t = await getTranslations('reports.chart');
  return [...(striped ? [t(`striped.${unit}`)] : []), ...(cut ? [t('cut')] : [])].join(' ');
}
