import { X } from 'lucide-react';
import { getLocale, getTimeZone, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { ICON_LINK } from '#components/ui/classes.ts';
import { Link } from '#components/ui/link.tsx';
import { Fact, Facts, Panel } from '#components/ui/panel.tsx';
import type { Person } from '#lib/access/actor.ts';
import { formatDate, formatDateTime, formatTime } from '#lib/values/dates.ts';
import type { Break } from '#lib/reports/day-close/breaks.ts';
import { viewDay } from '#lib/reports/day-close/view-day.ts';
import type { DayDetail as DayDetailLines } from '#lib/reports/day-close/view-day.ts';
import type { DayView, MonthView } from '#lib/reports/day-close/view.ts';
import type { Locale } from '#lib/values/locale.ts';
import { formatMoney, parseDecimal } from '#lib/values/money.ts';
import { isNothing, shown } from './amounts.ts';
import { DayState } from './month-table.tsx';

type Props = { person: Person; view: MonthView; day: DayView; close: string };

/**
 * One day: its equation, the provider's figures, the differences, and what was found after the
 * close.
 */
export async function DayDetail({ person, view, day, close }: Props): Promise<ReactNode> {
  const t = await getTranslations('dayClose');
  const locale = (await getLocale()) as Locale;
  const zone = await getTimeZone();
  const { currency } = view.wallet;
  const aside = (
    <Link
      href={close}
      scroll={false}
      aria-label={t('detail.close')}
      title={t('detail.close')}
      className={ICON_LINK}
    >
      <X aria-hidden className="size-4" />
    </Link>
  );
  const rows = [
    [t('columns.opening'), shown(day.opening, currency, locale)],
    ...(isNothing(day.carried)
      ? []
      : [[t('columns.carried'), formatMoney(day.carried, currency, locale, { sign: 'always' })]]),
    [t('columns.in'), formatMoney(day.in, currency, locale, { sign: 'always' })],
    [t('columns.out'), formatMoney(`-${day.out}`, currency, locale)],
    [t('columns.fees'), formatMoney(`-${day.fees}`, currency, locale)],
  ];
  return (
    <Panel
      title={formatDate(day.day, locale, { long: true })}
      aside={aside}
      className="max-2xl:order-first"
    >
      <div className="grid gap-2 px-4 py-3">
        <div className="flex flex-wrap items-center gap-2">
          <DayState day={day} currency={currency} locale={locale} />
          <span className="text-label text-muted">{t('detail.lines', { count: day.lines })}</span>
        </div>
        {day.closed && (
          <p className="text-label text-muted">
            {t('detail.closedBy', {
              name: day.closed.by,
              time: formatDateTime(day.closed.at, locale, { zone, seconds: true }),
            })}{' '}
            {day.closed.reason && t('detail.reason', { reason: day.closed.reason })}
          </p>
        )}
        <dl aria-label={t('detail.equation')} className="grid max-w-md gap-1 tabular-nums">
          {rows.map(([label, amount]) => (
            <div key={label} className="flex justify-between gap-6">
              <dt className="text-muted">{label}</dt>
              <dd>{amount}</dd>
            </div>
          ))}
          <div className="flex justify-between gap-6 border-t border-hairline pt-1 font-semibold">
            <dt>{t('columns.closing')}</dt>
            <dd>{shown(day.closing, currency, locale)}</dd>
          </div>
        </dl>
      </div>
      <div className="border-t border-hairline">
        <Facts>
          <Fact label={t('detail.reported')}>
            <ReportedBalance reported={day.reported} currency={currency} />
          </Fact>
        </Facts>
      </div>
      <Odd person={person} view={view} day={day} />
    </Panel>
  );
}

async function ReportedBalance({
  reported,
  currency,
}: {
  reported: DayView['reported'];
  currency: string;
}): Promise<ReactNode> {
  const t = await getTranslations('dayClose.detail');
  const locale = (await getLocale()) as Locale;
  if (reported === null) return t('notHeard');
  const words = {
    time: formatTime(reported.at, { zone: await getTimeZone(), seconds: true }),
    total: formatMoney(reported.total, currency, locale),
  };
  if (reported.book === null) return t('reportedOnly', words);
  const difference = parseDecimal(reported.total) - parseDecimal(reported.book);
  return difference === 0n
    ? t('reportedSame', words)
    : t('reportedElse', {
        ...words,
        book: formatMoney(reported.book, currency, locale),
        difference: formatMoney(difference, currency, locale, { sign: 'always' }),
      });
}

async function Odd({ person, view, day }: Omit<Props, 'close'>): Promise<ReactNode> {
  const t = await getTranslations('dayClose');
  const locale = (await getLocale()) as Locale;
  const { lines, late } = await viewDay(person, view.wallet, day.day);
  const { currency } = view.wallet;
  return (
    <>
      <section className="grid gap-2 border-t border-hairline px-4 py-3">
        <h3 className="text-label font-medium text-muted">{t('detail.breaks')}</h3>
        {day.breaks.length === 0 && <p>{t('detail.none')}</p>}
        <ul className="grid gap-2">
          {day.breaks.map(({ kind, count }) => (
            <BreakItem
              key={kind}
              kind={kind}
              count={count}
              lines={lines.filter((line) => line.kind === kind)}
            />
          ))}
        </ul>
      </section>
      {late.length > 0 && (
        <section className="grid gap-2 border-t border-hairline px-4 py-3">
          <h3 className="text-label font-medium text-muted">{t('detail.late')}</h3>
          <p className="text-muted">{t('detail.lateText')}</p>
          <ul className="grid gap-1 tabular-nums">
            {late.map((line) => (
              <li key={`${line.id} ${line.carriedOn ?? ''}`} className="wrap-anywhere">
                <span className="font-medium">
                  {formatMoney(line.net, currency, locale, { sign: 'always' })}
                </span>{' '}
                ·{' '}
                {t(`detail.lateStates.${line.state}`, {
                  day: line.carriedOn === null ? '' : formatDate(line.carriedOn, locale),
                })}
                <span className="block text-label text-muted">
                  {line.id}
                  {line.description && ` · ${line.description}`}
                </span>
              </li>
            ))}
            {late.length < (day.late?.lines ?? 0) && (
              <li className="text-muted">
                {t('detail.more', { count: day.late!.lines - late.length })}
              </li>
            )}
          </ul>
        </section>
      )}
    </>
  );
}

/** One kind of break and its entries. The count is of all of them; what is not listed is counted. */
async function BreakItem({
  kind,
  count,
  lines,
}: {
  kind: Break;
  count: number;
  lines: DayDetailLines['lines'];
}): Promise<ReactNode> {
  const t = await getTranslations('dayClose');
  const locale = (await getLocale()) as Locale;
  const zone = await getTimeZone();
  return (
    <li>
      {t(`breaks.${kind}`, { count })}
      <ul className="text-label text-muted">
        {lines.map((line) => (
          <li key={line.id} className="wrap-anywhere tabular-nums">
            {t('detail.line', {
              amount: formatMoney(line.amount, line.currency, locale),
              time: formatTime(line.at, { zone }),
              id: line.id,
            })}
            {line.description && ` · ${line.description}`}
          </li>
        ))}
        {lines.length > 0 && lines.length < count && (
          <li>{t('detail.more', { count: count - lines.length })}</li>
        )}
      </ul>
    </li>
  );
}
