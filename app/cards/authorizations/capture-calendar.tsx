import { getLocale, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { Bars } from '#components/ui/drawing.tsx';
import { Link } from '#components/ui/link.tsx';
import type { CaptureDay } from '#lib/cards/payments/authorizations.ts';
import { formatDate, weekdayOf } from '#lib/values/dates.ts';
import type { Locale } from '#lib/values/locale.ts';
import { formatMoney, parseDecimal } from '#lib/values/money.ts';
import { shortMoneys } from '#lib/values/short-money.ts';

const CELL =
  'grid min-h-16 content-start gap-0.5 rounded-control border px-1 py-1.5 text-center text-label ' +
  'tabular-nums';
const BAR_MAX = 16;

/**
 * The coming days, each with the money that is captured on it at the latest; a day opens its
 * authorizations. The bar compares the days' largest currency.
 */
export async function CaptureCalendar({
  days,
  path,
  chosen,
}: {
  days: readonly CaptureDay[];
  path: string;
  chosen: string | null;
}): Promise<ReactNode> {
  const t = await getTranslations('cards.holds.calendar');
  const locale = (await getLocale()) as Locale;
  const largest = days.reduce((most, day) => (sizeOf(day) > most ? sizeOf(day) : most), 1n);
  const shown = days.find(({ day }) => day === chosen);
  return (
    <nav aria-label={t('label')} className="no-print grid gap-2">
      <p className="flex flex-wrap items-baseline gap-x-3">
        <span className="text-label font-medium text-muted">{t('label')}</span>
        {shown !== undefined && (
          <>
            <span className="font-medium tabular-nums">
              {t('cell', {
                day: formatDate(shown.day, locale),
                count: shown.count,
                sum: moneyOf(shown, locale),
              })}
            </span>
            <Link href={path} className="text-label font-medium text-accent hover:underline">
              {t('all')}
            </Link>
          </>
        )}
      </p>
      <ol className="grid grid-cols-5 gap-1 sm:grid-cols-7 lg:grid-cols-10 2xl:grid-cols-[repeat(20,minmax(0,1fr))]">
        {days.map((day, nth) => (
          <li key={day.day}>
            <Day
              day={day}
              locale={locale}
              href={`${path}?day=${day.day}`}
              label={t('cell', {
                day: `${formatDate(day.day, locale)} ${weekdayOf(day.day, locale)}`,
                count: day.count,
                sum: moneyOf(day, locale),
              })}
              bar={Math.max(2, Number((sizeOf(day) * BigInt(BAR_MAX)) / largest))}
              isToday={nth === 0}
              isChosen={day.day === chosen}
            />
          </li>
        ))}
      </ol>
    </nav>
  );
}

function Day({
  day,
  locale,
  href,
  label,
  bar,
  isToday,
  isChosen,
}: {
  day: CaptureDay;
  locale: Locale;
  href: string;
  label: string;
  bar: number;
  isToday: boolean;
  isChosen: boolean;
}): ReactNode {
  const [, date] = day.day.split(/-(?=\d\d$)/);
  const head = (
    <span className="text-muted">
      {weekdayOf(day.day, locale, 'short')} {Number(date)}
    </span>
  );
  const [most] = day.sums;
  if (most === undefined) return <div className={`${CELL} border-hairline`}>{head}</div>;
  const tone = isToday ? 'text-failed' : 'text-ink';
  return (
    <Link
      href={href}
      title={label}
      aria-current={isChosen ? 'true' : undefined}
      className={`${CELL} bg-surface hover:border-accent ${isChosen ? 'border-accent' : 'border-control'}`}
    >
      {head}
      <span className={`font-semibold whitespace-nowrap ${tone}`}>
        {shortMoneys([parseDecimal(most.sum)], most.currency, locale)[0]}
        {day.sums.length > 1 && '+'}
      </span>
      <span className="sr-only">{label}</span>
      <Bars
        width={32}
        height={bar}
        className="mx-auto"
        bars={[{ width: 32, rx: 2, className: isToday ? 'fill-failed' : 'fill-accent' }]}
      />
    </Link>
  );
}

function sizeOf({ sums: [most] }: CaptureDay): bigint {
  return most === undefined ? 0n : parseDecimal(most.sum);
}

function moneyOf({ sums }: CaptureDay, locale: Locale): string {
  return sums.map(({ currency, sum }) => formatMoney(sum, currency, locale)).join(' + ');
}
